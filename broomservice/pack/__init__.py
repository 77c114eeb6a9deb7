"""Reading packs: files, positions, schemas, variants, and where facts come from."""
