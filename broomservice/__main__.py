"""`python -m broomservice` is the same as `broomservice`."""

from broomservice.cli import main

if __name__ == "__main__":
    main()
