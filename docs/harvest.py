"""Reads from the source every code that the house says, with its sentences and next steps.

A code is what reaches the `code` of an issue or the `check` of a decision. Whoever hands an argument of its
own on to one of these says codes as well; so does whoever calls that, and so on until nobody new is found.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple, get_args

from traces.records import Verdict

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ("metric_layer", "traces", "policies", "evals", "gateway")
CODE = re.compile(r"[a-z]+(_[a-z0-9]+)*")
GAP = "\N{HORIZONTAL ELLIPSIS}"
WORDS = re.compile(rf"[\w{GAP}]\S* [\w{GAP}]")
"""Two words, one after the other: what has none is a value and no sentence."""
MADE: Mapping[str, tuple[str, ...]] = {
    "unknown_…": (
        "check",
        "column",
        "dataset",
        "dimension",
        "metric",
        "relationship",
        "release_class",
        "role",
        "tag",
    ),
    "…_not_allowed": ("dimension", "grain"),
    "…_beside_data": ("traces", "state"),
    "model_…": (
        "dropped",
        "malformed",
        "misconfigured",
        "no_client",
        "no_key",
        "no_such_model",
        "not_allowed",
        "quota",
        "rate_limited",
        "refused",
        "slow",
        "too_long",
        "unavailable",
        "unreachable",
    ),
}
"""Codes that are put together where they are said, and what stands in the gap."""
SPEAKS = re.compile(
    r"issue|error|fault|problem|refus|cancel|timeout|busy|differential|unwritable|unusable|unsealable"
    r"|tracedamaged",
    re.IGNORECASE,
)
UNTOLD = "The message says what is wrong with what was seen."
"""Stands for a sentence that is made at run time."""
STEPS = re.compile(r"next|step", re.IGNORECASE)
Said = dict[str, tuple[list[str], list[str]]]
Read = ast.Assign | ast.Call | ast.Tuple | ast.Dict | ast.ClassDef | ast.FunctionDef


class Speaker(NamedTuple):
    """Where a call says its code, its sentence and its next step: the name and the place of each argument.

    `usual` is the sentence of a speaker that is handed the code alone.
    """

    order: tuple[str, ...]
    code: str
    message: str = "message"
    step: str = "next_step"
    usual: str = ""


class Called(NamedTuple):
    """The arguments of one call, by name."""

    code: ast.expr | None
    message: ast.expr | None
    step: ast.expr | None
    usual: str


ISSUES: Mapping[str, Speaker] = {
    "Issue": Speaker(("code", "message"), "code"),
    "ReplyIssue": Speaker(("code", "message"), "code"),
    "Problem": Speaker((), "reason"),
    "Unread": Speaker((), "code", "", "", "This part of the data could not be looked at."),
}
DECISIONS: Mapping[str, Speaker] = {"Decision": Speaker((), "check", "reason")}
CALLED = frozenset(("code", "reason", "check"))
METHOD = "a method"
Speakers = dict[tuple[str, str], Speaker]


@cache
def trees() -> Mapping[str, ast.Module]:
    """Return every module of the product, by its path."""
    files = chain.from_iterable(sorted((ROOT / floor).rglob("*.py")) for floor in FLOORS)
    return {file.relative_to(ROOT).as_posix(): ast.parse(file.read_text(encoding="utf-8")) for file in files}


@cache
def said_codes() -> Said:
    """Return the sentences and next steps with which the house says each code of an issue."""
    return harvest(trees(), ISSUES, beside=True)


@cache
def said_findings() -> Said:
    """Return the sentences of each finding that something else than a registered check decides."""
    return harvest(trees(), DECISIONS)


def harvest(modules: Mapping[str, ast.Module], first: Mapping[str, Speaker], *, beside: bool = False) -> Said:
    """Return every code that reaches one of the first speakers; `beside` reads tables and classes, too."""
    speakers = speakers_of(modules, first)
    said: Said = {}
    given = {
        code for path, tree in modules.items() for code, _, _ in _handed(path, tree, speakers, sure=True)
    }
    for path, tree in modules.items():
        for found in chain(_handed(path, tree, speakers), _beside(tree) if beside else ()):
            _keep(said, *found)
    if beside:
        for tree in modules.values():
            for code, step in _listed_steps(tree):
                if code in said:
                    _keep(said, code, "", step)
    return {code: (says or [UNTOLD], steps) for code, (says, steps) in said.items() if says or code in given}


def _keep(said: Said, code: str, sentence: str, step: str) -> None:
    sentences, steps = said.setdefault(code, ([], []))
    sentences.extend({sentence} - {"", *sentences})
    steps.extend({step} - {"", *steps})


def speakers_of(modules: Mapping[str, ast.Module], first: Mapping[str, Speaker]) -> Speakers:
    """Return who says a code that was handed in, by module and name.

    What is handed on is called a code, a reason or a check. A function is known where it stands and where it
    is imported; a method by its name.
    """
    found: Speakers = {("", name): speaker for name, speaker in first.items()}
    functions = [
        (path, node, _calls(node))
        for path, tree in modules.items()
        for node in _nodes(tree)
        if isinstance(node, ast.FunctionDef)
    ]
    imports = [
        ((path, each.asname or each.name), (f"{node.module.replace('.', '/')}.py", each.name))
        for path, tree in modules.items()
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module
        for each in node.names
    ]
    before = -1
    while before < len(found):
        before = len(found)
        for path, node, calls in functions:
            speaker = _hands_on(path, node, calls, found)
            if speaker is not None:
                found.setdefault((path, node.name), speaker)
                if _is_method(node):
                    found.setdefault((METHOD, node.name), speaker)
        for here, there in imports:
            if there in found:
                found.setdefault(here, found[there])
    return found


def _is_method(node: ast.FunctionDef) -> bool:
    return bool(node.args.args) and node.args.args[0].arg in ("self", "cls") and not node.name.startswith("_")


def _hands_on(
    path: str, node: ast.FunctionDef, calls: Iterable[ast.Call], speakers: Speakers
) -> Speaker | None:
    names = [
        each.arg for each in (*node.args.posonlyargs, *node.args.args) if each.arg not in ("self", "cls")
    ]
    own = {*names, *(each.arg for each in node.args.kwonlyargs)}
    for call in calls:
        called = _called(path, call, speakers)
        if called and isinstance(called.code, ast.Name) and called.code.id in own & CALLED:
            usual = text_of(called.message, {}) if called.message else ""
            whole = " " in usual.replace(GAP, "").strip()
            message, step = (_first_name(part, own) for part in (called.message, called.step))
            return Speaker(tuple(names), called.code.id, *(("", step, usual) if whole else (message, step)))
    return None


def _first_name(part: ast.expr | None, own: set[str]) -> str:
    names = (each.id for each in ast.walk(part) if isinstance(each, ast.Name)) if part is not None else ()
    return next((name for name in names if name in own), "")


def _called(path: str, call: ast.Call, speakers: Speakers) -> Called | None:
    """Return what a call says, or None where it calls nobody who says codes."""
    keywords = {word.arg: word.value for word in call.keywords if word.arg}
    name = _last_name(call.func)
    if name == "model_validate" and isinstance(call.func, ast.Attribute) and call.args:
        name = _last_name(call.func.value)
        keywords = dict(_entries(call.args[0]))
    places = (path, METHOD, "") if isinstance(call.func, ast.Attribute) else (path, "")
    speaker = next((speakers[place, name] for place in places if (place, name) in speakers), None)
    if speaker is None:
        return None
    given = {**dict(zip(speaker.order, call.args, strict=False)), **keywords}
    return Called(given.get(speaker.code), given.get(speaker.message), given.get(speaker.step), speaker.usual)


def _entries(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, value


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _handed(
    path: str, tree: ast.Module, speakers: Speakers, *, sure: bool = False
) -> Iterator[tuple[str, str, str]]:
    """Yield (code, sentence, next step) of every call that hands a code to somebody who says it.

    `sure` leaves out the methods, which are known by their names alone.
    """
    if sure:
        speakers = {key: speaker for key, speaker in speakers.items() if key[0] != METHOD}
    named: dict[str, str] = {}
    for node in _in_order(tree):
        if isinstance(node, ast.Assign):
            named.update(_assigned(node, named))
        elif isinstance(node, ast.Call) and (called := _called(path, node, speakers)) and called.code:
            sentence, step = (text_of(part, named) if part else "" for part in called[1:3])
            sentence = sentence or called.usual
            for code in filter(CODE.fullmatch, _strings(called.code, named)):
                yield code, sentence if " " in sentence else "", step if " " in step else ""


def _assigned(node: ast.Assign, named: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            pairs = zip(names, values, strict=False)
        case ast.Assign(targets=[name], value=value):
            pairs = zip((name,), (value,), strict=True)
        case _:
            return
    yield from ((name.id, text_of(value, named)) for name, value in pairs if isinstance(name, ast.Name))


@cache
def _nodes(tree: ast.Module) -> Sequence[Read]:
    """Return what is read of a module. Walking through one takes long, and it is read in many ways."""
    return tuple(node for node in ast.walk(tree) if isinstance(node, Read))


@cache
def _calls(function: ast.FunctionDef) -> Sequence[ast.Call]:
    return tuple(node for node in ast.walk(function) if isinstance(node, ast.Call))


@cache
def _in_order(tree: ast.Module) -> Sequence[ast.Assign | ast.Call | ast.Tuple]:
    nodes = (node for node in _nodes(tree) if isinstance(node, ast.Assign | ast.Call | ast.Tuple))
    return sorted(nodes, key=lambda node: (node.lineno, node.col_offset))


def _strings(node: ast.expr, named: Mapping[str, str]) -> Iterator[str]:
    match node:
        case ast.IfExp(body=body, orelse=other):
            yield from (*_strings(body, named), *_strings(other, named))
        case ast.BoolOp(values=values):
            for value in values:
                yield from _strings(value, named)
        case _:
            yield text_of(node, named)


def _beside(tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    """Yield (code, sentence, next step) wherever code and sentence stand side by side."""
    named: dict[str, str] = {}
    for node in _in_order(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                named[name] = text_of(value, named)
            case ast.Call(func=speaker, args=args, keywords=keywords) if SPEAKS.search(ast.unparse(speaker)):
                words = {word.arg: text_of(word.value, named) for word in keywords}
                texts = [text_of(arg, named) for arg in args]
                step = words.get("next_step", "")
                yield from _coded([*texts, words.get("code", ""), words.get("message", "")], step)
            case ast.Tuple(elts=parts):
                found = _coded([text_of(part, named) for part in parts])
                yield from (each for each in found if "_" in each[0])
    for part in _nodes(tree):
        if isinstance(part, ast.Dict):
            yield from _table(part, named)
        elif isinstance(part, ast.ClassDef):
            yield from _of_class(part)


def _table(node: ast.Dict, named: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Yield the lines of a table from code to (sentence, next step)."""
    for code, value in _entries(node):
        if isinstance(value, ast.Tuple) and len(value.elts) == 2:
            sentence, step = (re.sub(r"\{\w+(![rs])?\}", GAP, text_of(part, named)) for part in value.elts)
            if CODE.fullmatch(code) and " " in sentence and " " in step:
                yield code, sentence, step


def _of_class(node: ast.ClassDef) -> Iterator[tuple[str, str, str]]:
    """Yield the code that an exception bears as its own, with the first line of its docstring."""
    for line in node.body:
        match line:
            case ast.Assign(targets=[ast.Name(id="code")], value=ast.Constant(value=str(code))):
                yield code, (ast.get_docstring(node) or "").partition("\n")[0], ""


def _listed_steps(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        target = node.target if isinstance(node, ast.AnnAssign) else None
        if isinstance(target, ast.Name) and STEPS.search(target.id) and isinstance(node, ast.AnnAssign):
            for code, value in _entries(node.value) if node.value else ():
                yield code, text_of(value, {})


def _coded(texts: Iterable[str], step: str = "") -> Iterator[tuple[str, str, str]]:
    for code, sentence in pairwise(texts):
        if " " in sentence and code in MADE:
            for part in MADE[code]:
                yield code.replace(GAP, part), sentence, step
            return
        worded = WORDS.search(sentence) and sentence.strip(" ") == sentence
        if CODE.fullmatch(code) and code not in get_args(Verdict) and worded:
            yield code, sentence, step
            return


def text_of(node: ast.expr, named: Mapping[str, str]) -> str:
    """Return the text that an expression stands for, with a gap for what is seen only at run time."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name):
            return named.get(name, "")
        case ast.JoinedStr(values=values):
            return "".join(text_of(part, named) for part in values)
        case ast.FormattedValue():
            return GAP
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return text_of(left, named) + text_of(right, named)
        case ast.IfExp(body=body, orelse=other):
            return text_of(body, named) or text_of(other, named)
    return ""


def steps_of(run: Callable[..., object]) -> list[str]:
    """Return the next steps that a check's findings carry, its own and those of what it calls beside it."""
    path = (run.__module__).replace(".", "/") + ".py"
    tree = trees()[path]
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    named = dict(pair for node in tree.body if isinstance(node, ast.Assign) for pair in _assigned(node, {}))
    open_, seen, found = [run.__name__], set[str](), list[str]()
    while open_:
        name = open_.pop(0)
        if name in seen or name not in functions:
            continue
        seen.add(name)
        for node in ast.walk(functions[name]):
            if isinstance(node, ast.Name):
                open_.append(node.id)
            elif isinstance(node, ast.Assign):
                named.update(_assigned(node, named))
            elif isinstance(node, ast.keyword) and node.arg == "next_step":
                found += [step for step in _strings(node.value, named) if " " in step]
    return list(dict.fromkeys(found))
