"""SVG that may stand inside a page: a closed list of elements and attributes; no script, link or style."""

from xml.etree import ElementTree

SVG = "http://www.w3.org/2000/svg"
ELEMENTS = frozenset(("svg", "g", "path", "line", "rect", "text", "tspan", "title"))
ATTRIBUTES = frozenset(
    (
        "aria-hidden", "aria-label", "aria-roledescription", "class", "d", "display", "dx", "dy", "fill",
        "fill-opacity", "font-family", "font-size", "font-style", "font-weight", "height", "opacity",
        "pointer-events", "role", "stroke", "stroke-dasharray", "stroke-miterlimit", "stroke-opacity",
        "stroke-width", "text-anchor", "transform", "version", "viewBox", "width", "x", "x2", "y", "y2",
    )
)  # fmt: skip


def embeddable(svg: str, label: str) -> str:
    """Return the picture as a labelled part of a page. Raises ValueError for anything not on the list."""
    if "<!" in svg or "<?" in svg:
        raise ValueError("a picture has no declarations")
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as fault:
        raise ValueError("the picture is not well formed") from fault
    for element in root.iter():
        name = element.tag.removeprefix(f"{{{SVG}}}")
        if name not in ELEMENTS or not set(element.attrib) <= ATTRIBUTES:
            raise ValueError(f"a picture may not hold {name} {sorted(set(element.attrib) - ATTRIBUTES)}")
        element.tag = name
    root.attrib |= {
        "xmlns": SVG,
        "role": "graphics-document",
        "aria-roledescription": "chart",
        "aria-label": label,
    }
    return ElementTree.tostring(root, encoding="unicode")
