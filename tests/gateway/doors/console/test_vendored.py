"""The one script of the console is the published file, byte for byte, and its licence lies beside it."""

from hashlib import sha256

from gateway.doors.console.rendering import SCRIPT, STATIC

PUBLISHED = "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130"
"""SHA-256 of dist/htmx.min.js in the package htmx.org 4.0.1."""


def test_the_script_is_the_published_one_and_the_only_one() -> None:
    assert [file.name for file in STATIC.glob("*.js")] == [SCRIPT]
    assert sha256((STATIC / SCRIPT).read_bytes()).hexdigest() == PUBLISHED


def test_its_licence_lies_beside_it() -> None:
    assert "Zero-Clause BSD" in (STATIC / "htmx-LICENSE.txt").read_text(encoding="utf-8")
