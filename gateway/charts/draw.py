"""Drawing in a process of its own, with a time limit: the house never loads a drawing library."""

import json
import subprocess
import sys
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from gateway.charts.markup import embeddable
from gateway.charts.plot import Job, Plot, Undrawn

SECONDS = 30.0
LIBRARIES = ("altair", "vl_convert")
# All the environment there is in the drawing process: no secret is handed on, and no zone can shift a day.
ENVIRONMENT = {"TZ": "UTC", "LC_ALL": "C.UTF-8"}
_COMMAND = ("-I", "-m", "gateway.charts.worker")


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn plot. `data` is SVG text in UTF-8, or PNG."""

    plot: Plot
    form: Literal["svg", "png"]
    data: bytes


def draw(
    plots: Sequence[Plot],
    form: Literal["svg", "png"] = "svg",
    *,
    dark: bool = False,
    seconds: float = SECONDS,
) -> tuple[Picture, ...] | Undrawn:
    """Draw plots, or say why there is no picture: the extra is missing, or it took longer than `seconds`.

    An SVG takes its colours from the page around it; `dark` is for PNG, which has paper of its own.
    """
    if not all(find_spec(library) for library in LIBRARIES):
        return Undrawn(reason="The extra `charts` is not installed.")
    job = Job(plots=tuple(plots), form=form, dark=dark)
    try:
        done = subprocess.run(
            [sys.executable, *_COMMAND],
            input=job.model_dump_json().encode(),
            capture_output=True,
            timeout=seconds,
            env=ENVIRONMENT,
            check=True,
        )
        drawn = json.loads(done.stdout)
        return tuple(_picture(plot, form, each) for plot, each in zip(plots, drawn, strict=True))
    except subprocess.TimeoutExpired:
        return Undrawn(reason=f"Drawing took longer than {seconds:g} s and was stopped.")
    except (OSError, subprocess.CalledProcessError, ValueError):
        return Undrawn(reason="The picture could not be drawn.")


def _picture(plot: Plot, form: Literal["svg", "png"], drawn: str) -> Picture:
    if form == "png":
        return Picture(plot=plot, form=form, data=b64decode(drawn, validate=True))
    return Picture(plot=plot, form=form, data=embeddable(drawn, plot.description).encode())
