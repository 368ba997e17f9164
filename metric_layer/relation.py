"""A relation's name, taken apart at its dots."""


def relation_parts(relation: str) -> tuple[str, ...]:
    """Split a relation's name at its dots; a part in double quotes may hold dots itself."""
    parts, word, inside = [""], relation.strip(), False
    for letter in word:
        if letter == '"':
            inside = not inside
        elif letter == "." and not inside:
            parts.append("")
        else:
            parts[-1] += letter
    return tuple(parts)
