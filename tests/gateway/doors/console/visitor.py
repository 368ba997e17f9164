"""Somebody without scripts: reads pages, fills in the forms that stand on them, follows where they lead."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Self
from urllib.parse import urljoin, urlsplit

import httpx

INLINE = ("a", "b", "bdi", "code", "del", "ins", "mark", "span", "strong")


@dataclass
class Form:
    """A form of a page: where it goes, what it sends by itself, and what its buttons send."""

    action: str
    method: str
    sends: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class Markup(HTMLParser):
    """The elements, the forms and the visible text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.forms: list[Form] = []
        self.text = ""
        self._area = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.text += "" if tag in INLINE else "\n"
        self.elements.append((tag, found))
        if tag == "form":
            self.forms.append(Form(found["action"], found["method"]))
        elif self.forms and tag == "input" and found.get("type") not in ("radio", "checkbox"):
            self.forms[-1].sends.append((found["name"], found.get("value", "")))
        elif self.forms and tag == "input" and "checked" in found:
            self.forms[-1].sends.append((found["name"], found["value"]))
        elif self.forms and tag == "button":
            self.forms[-1].buttons.append((found.get("name", ""), found.get("value", "")))
        elif tag == "textarea":
            self._area = found["name"]

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._area = ""

    def handle_data(self, data: str) -> None:
        if self._area and self.forms:
            self.forms[-1].sends.append((self._area, data))
        self.text += data

    def every(self, attribute: str) -> list[str]:
        return [found[attribute] for _, found in self.elements if attribute in found]

    @property
    def tags(self) -> set[str]:
        return {tag for tag, _ in self.elements}


@dataclass
class Page:
    """What came back, after the redirects."""

    response: httpx.Response

    @property
    def status(self) -> int:
        return self.response.status_code

    @property
    def path(self) -> str:
        return urlsplit(str(self.response.url)).path

    @property
    def html(self) -> str:
        return self.response.text

    @property
    def markup(self) -> Markup:
        return Markup(self.html)

    def form(self, action: str) -> Form:
        """Return the form of the page that goes to an address."""
        return next(form for form in self.markup.forms if form.action == action)

    def __contains__(self, text: str) -> bool:
        return text in " ".join(self.markup.text.split())


class Visitor:
    """A browser without scripts, in its own cookie jar."""

    def __init__(self, address: str) -> None:
        self.http = httpx.Client(base_url=address, follow_redirects=True, timeout=30)

    def signed_in(self, token: str) -> Self:
        page = self.get("/console/sign-in")
        assert self.send(page, "/console/sign-in", token=token).path != "/console/sign-in"
        return self

    def get(self, path: str, **headers: str) -> Page:
        return Page(self.http.get(path, headers={key.replace("_", "-"): v for key, v in headers.items()}))

    def send(
        self,
        page: Page,
        action: str,
        *,
        press: tuple[str, str] | None = None,
        to: str = "",
        headers: dict[str, str] | None = None,
        **fields: str,
    ) -> Page:
        """Send a form as a browser would, with these fields filled in; `press` names the button."""
        form = page.form(action)
        sent = [pair for pair in form.sends if pair[0] not in fields]
        pairs = [*sent, *fields.items(), *([press] if press else [])]
        body: dict[str, list[str]] = {}
        for name, value in pairs:
            body.setdefault(name, []).append(value)
        url = urljoin(str(page.response.url), to or action)
        if form.method == "get":
            return Page(self.http.get(url, params=body, headers=headers))
        return Page(self.http.post(url, data=body, headers=headers))

    def ask(self, question: str) -> Page:
        """Ask a question in words and run what was shown."""
        checked = self.send(self.get("/console/ask"), "/console/ask/check", question=question)
        return self.send(checked, "/console/ask/run")
