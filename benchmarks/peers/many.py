"""The small shop of `models/ours.yml`, grown to as many metrics as asked."""

from pathlib import Path

OURS = Path(__file__).resolve().parent / "models" / "ours.yml"
COPIES = 50
_METRIC = """  - name: {name}
    type: sum
    dataset: {dataset}
    column: {column}
    version: 1
    owner: ops
    description: {column} in all
"""


def many_metrics(count: int) -> str:
    """Return definitions with that many metrics over fifty copies of each fact."""
    head, rest = OURS.read_text().split("  - name: orders\n", 1)
    facts, rest = rest.split("relationships:\n", 1)
    links = rest.split("dimensions:\n", 1)[0]
    text = [head]
    text.extend(_numbered("  - name: orders\n" + facts, number) for number in range(COPIES))
    text.append("relationships:\n")
    text.extend(_numbered(links, number) for number in range(COPIES))
    text.append("dimensions:\n  - {name: region, dataset: customers, column: region}\nmetrics:\n")
    for number in range(count // 2):
        for name, dataset, column in (
            ("shipping", "orders", "shipping_fee"),
            ("gross", "order_lines", "amount"),
        ):
            of = f"{dataset}_{number % COPIES}"
            text.append(_METRIC.format(name=f"{name}_{number}", dataset=of, column=column))
    return "".join(text)


def _numbered(text: str, number: int) -> str:
    for name in ("orders", "order_lines", "order_customer", "line_customer"):
        for key in ("name", "relation", "from_dataset"):
            text = text.replace(f"{key}: {name}\n", f"{key}: {name}_{number}\n")
    return text
