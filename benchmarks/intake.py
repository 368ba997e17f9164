"""Questions in words over a layer of 1,000 metrics and 10,000 values: milliseconds for each.

python benchmarks/intake.py [--quick] [--json]

The floor is the same layer searched for every run of words of the question, with nothing understood.
Good questions become plans; misspelt ones are the slow ones, for near names are looked for.
"""

import json
import sys
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from random import Random
from statistics import median, quantiles

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks import options_of  # noqa: E402
from gateway.intake import IntakePlan, Prepared, prepare, take  # noqa: E402
from metric_layer.asking import AskingRules  # noqa: E402
from metric_layer.definitions import (  # noqa: E402
    Aggregate,
    Column,
    Dataset,
    Dimension,
    DimensionValue,
    Document,
)
from metric_layer.layer import build_layer  # noqa: E402
from metric_layer.visible import Visible  # noqa: E402

TODAY = date(2026, 5, 13)
METRICS, DIMENSIONS, VALUES = 1_000, 20, 500
SOUNDS = "ba be bi bo da de di do ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro sa se si so"


def main() -> None:
    """Run the benchmark and print one table, or one JSON object."""
    chosen = options_of(__doc__).parse_args()
    draw = Random(7)
    began = time.perf_counter()
    words = large(draw)
    prepared_s = time.perf_counter() - began
    good = [question(draw, words) for _ in range(200 if chosen.quick else 2_000)]
    misspelt = [misspell(draw, text) for text in good[:: 4 if chosen.quick else 2]]
    figures = {
        "metrics": METRICS,
        "values": DIMENSIONS * VALUES,
        "prepare_s": round(prepared_s, 3),
        "questions": len(good),
        "plans": sum(isinstance(ask(text, words), IntakePlan) for text in good),
        **timed(lambda text: ask(text, words), good),
        "misspelt": timed(lambda text: ask(text, words), misspelt),
        "floor": timed(lambda text: searched(text, words), good),
    }
    sys.stdout.write(json.dumps(figures) + "\n" if chosen.json else as_text(figures))


def ask(text: str, words: Prepared) -> object:
    """Read one question."""
    return take(text, words, visible=Visible(), today=TODAY)


def searched(text: str, words: Prepared) -> int:
    """Look up every run of words of a question: the least that any reading must do."""
    said = text.lower().split()
    runs = (
        " ".join(said[first:last])
        for first in range(len(said))
        for last in range(first + 1, min(first + words.longest, len(said)) + 1)
    )
    return sum(run in words.exact for run in runs)


def timed(call: Callable[[str], object], texts: Sequence[str]) -> dict[str, float]:
    """Return median, 95th percentile and CPU of one call in milliseconds."""
    walls: list[float] = []
    cpu = time.process_time()
    for text in texts:
        began = time.perf_counter()
        call(text)
        walls.append((time.perf_counter() - began) * 1000)
    spent = (time.process_time() - cpu) * 1000 / len(texts)
    slow = quantiles(walls, n=20)[-1]
    return {
        "ms_per_question": round(median(walls), 3),
        "p95_ms": round(slow, 3),
        "cpu_ms": round(spent, 3),
    }


def large(draw: Random) -> Prepared:
    """A layer with made-up names, each of two or three words that others use too."""
    sounds = SOUNDS.split()
    nouns = sorted({"".join(draw.choices(sounds, k=3)) for _ in range(3_000)})
    names = iter(sorted({" ".join(draw.sample(nouns, 2)) for _ in range(METRICS + 2 * DIMENSIONS * VALUES)}))
    dimensions = tuple(
        Dimension(
            name=f"dim_{number}",
            dataset="facts",
            column=f"dim_{number}",
            synonyms=(f"axis {nouns[number]}",),
            values=tuple(
                DimensionValue(value=f"v{number}_{n}", synonyms=(next(names), f"code {number * VALUES + n}"))
                for n in range(VALUES)
            ),
        )
        for number in range(DIMENSIONS)
    )
    metrics = tuple(
        Aggregate(
            name=f"metric_{number}",
            version=1,
            owner="bench",
            description="made up",
            unit="EUR",
            synonyms=(next(names), f"figure {nouns[number]} {nouns[-number]}"),
            time_field="day",
            type="sum",
            dataset="facts",
            column="n",
        )
        for number in range(METRICS)
    )
    columns = (
        Column(name="day", type="date"),
        Column(name="n", type="decimal"),
        *(Column(name=d.name, type="string") for d in dimensions),
    )
    document = Document(
        datasets=(Dataset(name="facts", relation="facts", columns=columns),),
        dimensions=(*dimensions, Dimension(name="day", dataset="facts", column="day")),
        metrics=metrics,
    )
    return prepare(build_layer(document), AskingRules(data_from=date(2020, 1, 1)))


def question(draw: Random, words: Prepared) -> str:
    """A question with one metric, a breakdown, one or two values and a period."""
    layer = words.layer
    metric = layer.metrics[f"metric_{draw.randrange(METRICS)}"].synonyms[0]
    split, *kept = draw.sample([layer.dimensions[f"dim_{n}"] for n in range(DIMENSIONS)], draw.choice((2, 3)))
    values = " and for ".join(draw.choice(d.values).synonyms[0] for d in kept)
    period = draw.choice(
        ("last month", "in Q1 2026", "since 1 April 2026", "over the last 12 months by month")
    )
    return f"what was {metric} by {split.synonyms[0]} for {values} {period}?"


def misspell(draw: Random, text: str) -> str:
    """The question with one letter of its metric doubled."""
    words = text.split()
    place = draw.choice((2, 3))
    words[place] = words[place][:2] + words[place][1:]
    return " ".join(words)


def as_text(figures: dict[str, object]) -> str:
    """Lay the figures out as lines."""
    return "".join(f"{name:16} {value}\n" for name, value in figures.items())


if __name__ == "__main__":
    main()
