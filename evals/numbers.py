"""The canonical form of whole columns of numbers, equal to the one of single values bit for bit."""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evals.values import SIGNIFICANT, canonical

Floats = NDArray[np.float64]

EXACT = 2**53
"""Up to here a float64 holds every integer."""

POWERS = np.array([float(f"1e{n}") for n in range(-30, 23)])
DOUBT = 1e-3
"""How near a half the product may be before the decimal digits themselves are asked."""


def as_floats(values: pa.Array, decimals: int | None) -> pa.Array | None:
    """Return numbers as canonical float64, NULLs kept; None where float64 cannot tell them all apart."""
    kind = values.type
    missing = values.is_null().to_numpy(zero_copy_only=False)
    if pa.types.is_boolean(kind):
        found: Floats | None = values.cast(pa.float64()).fill_null(0.0).to_numpy()
    elif pa.types.is_integer(kind):
        found = _integers(values.fill_null(0).to_numpy(zero_copy_only=False))
    elif pa.types.is_floating(kind):
        found = _floats(values.cast(pa.float64()).fill_null(0.0).to_numpy(), decimals)
    elif pa.types.is_decimal128(kind):
        found = _decimals(values, decimals)
    else:
        return None
    return None if found is None else pa.array(found, mask=missing)


def _integers(values: NDArray[Any]) -> Floats | None:
    if len(values) and (values.max() > EXACT or values.min() < -EXACT):
        return None
    return values.astype(np.float64)


def _floats(values: Floats, decimals: int | None) -> Floats | None:
    finite = np.isfinite(values)
    whole = values == np.rint(values)
    if np.any(finite & (np.abs(values) > EXACT)):
        return None
    found = values + 0.0
    left = finite & ~whole
    if decimals is None or decimals >= 2:
        left &= ~_has_cents_at_most(values)
    rest = np.flatnonzero(left)
    if len(rest):
        found[rest] = _fractions(values[rest], decimals)
    return found


def _has_cents_at_most(values: Floats) -> NDArray[Any]:
    """Say where a value is a decimal of two places and few digits: it is its own canonical form."""
    with np.errstate(invalid="ignore", over="ignore"):
        found: NDArray[Any] = (np.abs(values) < 1e9) & (np.rint(values * 100.0) / 100.0 == values)
    return found


def _fractions(values: Floats, decimals: int | None) -> Floats:
    """Round to the case's decimals, then to 12 significant digits, half away from zero."""
    if decimals is not None:
        rounded = _rounded(values, np.full(len(values), decimals), values, decimals)
        rest = np.flatnonzero(rounded != np.rint(rounded))
        rounded[rest] = _significant(rounded[rest], decimals)
        return rounded
    return _significant(values, None)


def _significant(values: Floats, decimals: int | None) -> Floats:
    size = np.abs(values)
    exponent = np.floor(np.log10(size)).astype(np.int64)
    exponent -= size < _power(exponent)
    exponent += size >= _power(exponent + 1)
    return _rounded(values, np.maximum(SIGNIFICANT - 1 - exponent, 0), values, decimals)


def _rounded(values: Floats, places: NDArray[Any], source: Floats, decimals: int | None) -> Floats:
    """Round each value at its own decimal place; where the product is in doubt, the digits are asked."""
    scale = _power(places)
    product = np.abs(values) * scale
    fraction = product - np.floor(product)
    doubt = (np.abs(fraction - 0.5) < DOUBT) | (places > 22) | (product > 1e12 * (1 + 1e-9))
    found = np.copysign(np.floor(product + 0.5) / scale, values) + 0.0
    for place in np.flatnonzero(doubt):
        found[place] = float(canonical(float(source[place]), decimals))
    return found


def _power(exponents: NDArray[Any]) -> Floats:
    found: Floats = POWERS[np.clip(exponents + 30, 0, len(POWERS) - 1)]
    return found


def _decimals(values: pa.Array, decimals: int | None) -> Floats | None:
    """Decimals are integers times a power of ten, so their digits are rounded exactly."""
    scale = values.type.scale
    words = np.frombuffer(values.buffers()[1], dtype=np.int64).reshape(-1, 2)
    words = words[values.offset : values.offset + len(values)]
    units = np.where(values.is_null().to_numpy(zero_copy_only=False), 0, words[:, 0])
    signs = np.where(values.is_null().to_numpy(zero_copy_only=False), 0, words[:, 1])
    if scale < 0 or scale > 18 or np.any(signs != units >> 63) or np.any(units == np.iinfo(np.int64).min):
        return None
    size, left = np.abs(units), np.full(len(units), scale)
    if decimals is not None:
        fractional = size % 10**scale != 0
        size, left = _digits_dropped(size, left, np.where(fractional, np.maximum(scale - decimals, 0), 0))
    integral = size % 10**left == 0
    digits = np.searchsorted(10 ** np.arange(1, 19), size, side="right") + 1
    size, left = _digits_dropped(size, left, np.where(integral, 0, np.clip(digits - SIGNIFICANT, 0, left)))
    power = 10**left
    whole = size % power == 0
    size, left = np.where(whole, size // power, size), np.where(whole, 0, left)
    if np.any(size > EXACT):
        return None
    return np.copysign(size.astype(np.float64) / _power(left), units) + 0.0


def _digits_dropped(
    size: NDArray[Any], left: NDArray[Any], dropped: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any]]:
    power = 10**dropped
    return (size + power // 2 * (dropped > 0)) // power, left - dropped
