"""What every benchmark takes on its command line."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter


def options_of(about: str | None) -> ArgumentParser:
    """Return the options that every benchmark takes; `about` is its docstring."""
    options = ArgumentParser(description=about, formatter_class=RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="a short run")
    options.add_argument("--json", action="store_true", help="print one JSON object")
    return options
