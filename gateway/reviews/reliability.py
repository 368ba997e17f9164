"""A reliability diagram as SVG: what a judge said against how often people accepted, n on every point."""

from gateway.reviews.view import CalibrationBin, FindingCalibration

SIDE = 320
MARGIN = 54
SMALLEST, LARGEST = 3.0, 9.0


def reliability_svg(finding: FindingCalibration) -> str:
    """Return the plot of one finding as a standalone SVG; the diagonal is a judge that means what it says.

    Colours follow the page (`currentColor`), and the table beside it holds the same figures.
    """
    most = max((each.n for each in finding.bins), default=0)
    points = "".join(_point(each, most) for each in finding.bins if each.n)
    name = f"{finding.check}, judge {finding.judge}: {finding.n} decided by people"
    whole = SIDE + 2 * MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" role="img"'
        f' aria-label="{name}" font-family="sans-serif" font-size="12" fill="currentColor">'
        f"<title>{name}</title>{_frame()}{points}</svg>"
    )


def _frame() -> str:
    low, high = _x(0), _x(1)
    top, bottom = _y(1), _y(0)
    ticks = "".join(
        f'<text x="{_x(tick / 4):g}" y="{bottom + 16:g}" text-anchor="middle">{tick / 4:g}</text>'
        f'<text x="{low - 6:g}" y="{_y(tick / 4) + 4:g}" text-anchor="end">{tick / 4:g}</text>'
        for tick in range(5)
    )
    return (
        f'<rect x="{low:g}" y="{top:g}" width="{SIDE}" height="{SIDE}" fill="none" stroke="currentColor"/>'
        f'<line x1="{low:g}" y1="{bottom:g}" x2="{high:g}" y2="{top:g}" stroke="currentColor"'
        f' stroke-dasharray="4 4"/>{ticks}'
        f'<text x="{_x(0.5):g}" y="{bottom + 34:g}" text-anchor="middle">probability the judge gave</text>'
        f'<text transform="translate({low - 42:g} {_y(0.5):g}) rotate(-90)" text-anchor="middle">'
        "share that people accepted</text>"
    )


def _point(each: CalibrationBin, most: int) -> str:
    if each.mean_chance is None or each.accepted is None:
        return ""
    x, y = _x(each.mean_chance), _y(each.accepted)
    radius = SMALLEST + (LARGEST - SMALLEST) * (each.n / most) ** 0.5
    said = f"n={each.n}"
    above = y - radius - 3 if y > MARGIN + 24 else y + radius + 13
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}"><title>{said}</title></circle>'
        f'<text x="{x:g}" y="{above:g}" text-anchor="middle">{said}</text>'
    )


def _x(share: float) -> float:
    return MARGIN + share * SIDE


def _y(share: float) -> float:
    return MARGIN + (1 - share) * SIDE
