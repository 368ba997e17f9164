"""The drawing process: one job as JSON on stdin, the pictures as JSON on stdout, and nothing else."""

import json
import resource
import sys
from base64 import b64encode

import vl_convert

from gateway.charts.plot import Job, Plot
from gateway.charts.spec import DARK_INK, DARK_PAPER, INK, PAPER, spec_of

CPU_SECONDS = 60
PNG_SCALE = 2.0


def run(job: Job) -> list[str]:
    """Return one picture per plot: SVG text, or PNG bytes as base64."""
    return [_png(plot, dark=job.dark) if job.form == "png" else _svg(plot) for plot in job.plots]


def _svg(plot: Plot) -> str:
    svg: str = vl_convert.vegalite_to_svg(spec_of(plot), allowed_base_urls=[])
    return svg


def _png(plot: Plot, *, dark: bool) -> str:
    """A picture that stands alone has paper of its own: there is no page around it to take colours from."""
    ink, paper = (DARK_INK, DARK_PAPER) if dark else (INK, PAPER)
    picture: bytes = vl_convert.vegalite_to_png(
        spec_of(plot, ink=ink, paper=paper), scale=PNG_SCALE, allowed_base_urls=[]
    )
    return b64encode(picture).decode()


def main() -> None:
    """Serve one job. A process whose parent was killed ends by itself; none leaves rows in a core file."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    job = Job.model_validate_json(sys.stdin.buffer.read())
    sys.stdout.write(json.dumps(run(job)))


if __name__ == "__main__":
    main()
