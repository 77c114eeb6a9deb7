"""The random generator of chance: two small whole numbers, the same on every machine.

It is the combined multiplicative generator of P. L'Ecuyer (Communications of the ACM 31, 1988);
its products stay below 2 to the power of 47, so that compiled code never needs long integers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import attr

if TYPE_CHECKING:
    from mypy_extensions import i64

MODULUS_A: Final = 2147483563
MODULUS_B: Final = 2147483399
RANGE: Final = 2147483562


@attr.s(auto_attribs=True, eq=False)
class Chance:
    """A stream of random numbers, wholly described by `a` and `b`."""

    a: i64
    b: i64

    def below(self, bound: i64) -> i64:
        """Return a whole number from 0 to `bound` - 1, each equally likely up to one in 10 million.

        >>> Chance.seeded(7).below(6) in range(6)
        True
        """
        a = self.a * 40014 % MODULUS_A
        b = self.b * 40692 % MODULUS_B
        self.a = a
        self.b = b
        return (a - b) % RANGE * bound // RANGE

    @staticmethod
    def seeded(seed: int) -> Chance:
        """Return a stream for any whole number as seed."""
        a = 1 + scrambled(seed, 1) % (MODULUS_A - 1)
        b = 1 + scrambled(seed, 2) % (MODULUS_B - 1)
        return Chance(a, b)


def scrambled(seed: int, salt: int) -> int:
    """Return 64 well mixed bits of a seed (the finalizer of SplitMix64, by S. Vigna)."""
    bits = (seed * 2 + salt) * 0x9E3779B97F4A7C15 & 0xFFFFFFFFFFFFFFFF
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9 & 0xFFFFFFFFFFFFFFFF
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB & 0xFFFFFFFFFFFFFFFF
    return bits ^ (bits >> 31)
