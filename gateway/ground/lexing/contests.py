"""Words of a contest between two names: the first one beat the second, lost to it, or drew with it."""

import re
from typing import NamedTuple

# What one side does to the other, as it is told of the winner, and of the loser.
BEAT = (
    r"beat(?:s|ing)?|defeat(?:s|ed|ing)?|edg(?:es|ed|ing)|oust(?:s|ed|ing)?|unseat(?:s|ed|ing)?"
    r"|depos(?:es|ed|ing)|dethron(?:es|ed|ing)|outpoll(?:s|ed|ing)?|outscor(?:es|ed|ing)"
    r"|overc(?:ame|omes?|oming)|overpower(?:s|ed|ing)?|overwhelm(?:s|ed|ing)?|topp(?:ed|ing)"
    r"|toppl(?:es|ed|ing)|trounc(?:es|ed|ing)|thrash(?:es|ed|ing)?|best(?:ed|ing)|rout(?:ed|ing)"
    r"|crush(?:es|ed|ing)?|hammer(?:s|ed|ing)?|demolish(?:es|ed|ing)?|vanquish(?:es|ed|ing)?"
    r"|conquer(?:s|ed|ing)?|eliminat(?:es|ed|ing)|dispatch(?:es|ed|ing)?|stunn(?:ed|ing)"
    r"|upset(?:s|ting)?|pipp(?:ed|ing)|downed|sweeps?|swept|whitewash(?:es|ed|ing)?"
    r"|(?:knock|dump)(?:s|ed|ing)?\sout|vot(?:es|ed|ing)\sout|s(?:ees?|aw|eeing)\soff"
    r"|h(?:eld|olds?|olding)\soff|f(?:ends?|ended|ending)\soff|f(?:ights?|ought|ighting)\soff"
    r"|(?:g[eo]t(?:s|ting)?|had|have|has)\sthe\sbetter\sof|pull(?:s|ed|ing)?\s(?:away|clear)\sfrom"
)
BEATEN_IT = (
    r"beaten|defeated|edged|ousted|unseated|deposed|dethroned|outpolled|outscored|overcome|overpowered"
    r"|overwhelmed|topped|toppled|trounced|thrashed|bested|routed|crushed|hammered|demolished|vanquished"
    r"|conquered|eliminated|dispatched|stunned|upset|pipped|downed|swept|whitewashed"
    r"|(?:knocked|dumped|voted)\sout|(?:seen|held|fended|fought)\soff"
)
WIN = r"w[io]n(?:s|ning)?|victor(?:y|ies|ious)|triumph(?:s|ed|ing|ant)?|prevail(?:s|ed|ing)?|success"
LOSE = (
    r"los(?:t|es?|ing)|f(?:ell|alls?|alling|allen)|(?:went|go(?:es|ing)?)\s(?:down|out)"
    r"|succumb(?:s|ed|ing)?|bow(?:s|ed|ing)(?:\s(?:down|out))?|conced(?:es|ed|ing)|crash(?:es|ed|ing)\sout"
)
# What one that has more does to one that has less, in figures as in contests.
OUTDO = (
    r"beat(?:s|ing)?|edg(?:es|ed|ing)|outd(?:id|o(?:es|ing)?)|outperform(?:s|ed|ing)?|outs(?:old|ell(?:s|ing)?)"
    r"|outs(?:hone|hin(?:es?|ing)|cor(?:es?|ed|ing))|outpac(?:es?|ed|ing)|out-?earn(?:s|ed|ing)?"
    r"|outstrip(?:s|ped|ping)?|outrank(?:s|ed|ing)?|surpass(?:es|ed|ing)?|top(?:s|ped|ping)|exceed(?:s|ed|ing)?"
    r"|eclips(?:es?|ed|ing)|overt(?:ook|ak(?:es?|ing|en))"
)
TRAIL = r"trail(?:s|ed|ing)?|lag(?:s|ged|ging)?(?:\sbehind)?|underperform(?:s|ed|ing)?"
# How a word starts without which none of these two is said.
OUTDOES = (
    "beat", "edg", "outd", "outp", "outs", "oute", "out-e", "outr", "surpass", "top", "exceed", "eclips",
    "overt", "trail", "lag", "underperform",
)  # fmt: skip
PLACE = r"second|third|fourth|fifth|runners?[\s-]up|last"
_BEHIND = rf"(?:{PLACE})\s(?:to|behind)|behind|trail(?:s|ed|ing)?|adrift\sof"
# "Labour took the seat from Unity".
TAKE_FROM = (
    r"(?:took|tak(?:es|ing)|(?:re)?gain(?:s|ed|ing)|(?:re)?captur(?:es|ed|ing)|won|wrest(?:s|ed|ing)|snatch(?:es|ed|ing))"
    r"\sthe\s(?:seat|constituency|riding|title|crown|office)\sfrom"
)
_AHEAD = r"ahead\sof|in\sfront\sof"
# Who the second name is, right before it: "the Unity candidate", "Labour's".
TITLE = (
    r"(?:(?!(?:with|by|in|on|at|and|of|for|to|from|but|while|who|whom|whose|when|as|after|before|than|that"
    r"|which|over|his|her|their|its)\b)[^\s\d,;:()]+,?\s){0,5}[\"'(\u201c]?"
)
_LEAD = r"(?P<lead>(?:[^;:]|(?<=\d):(?=\d))*?)\b"
_ON = r"[^;:]{0,60}?"
_LOSES = re.compile(
    rf"{_LEAD}(?:(?:{BEATEN_IT})(?:\sout)?\b{_ON}\sby|(?:{LOSE})\b{_ON}\s(?:to|against)"
    rf"|(?:defeat|loss)\b{_ON}\s(?:to|by|against)|at\sthe\shands\sof|(?P<order>{_BEHIND})|no\smatch\sfor)\s{TITLE}",
    re.IGNORECASE,
)
_BEATS = re.compile(
    rf"{_LEAD}(?:(?P<order>{_AHEAD}|(?:edg|pipp)(?:es|ed|ing)(?:\sout)?)|(?:{BEAT})(?:\sout)?"
    rf"|(?:{WIN})\b{_ON}\s(?:over|against)|{TAKE_FROM}|defeat\sof)\s{TITLE}",
    re.IGNORECASE,
)
_DRAWS = re.compile(
    rf"{_LEAD}(?:dr[ae]w(?:s|ing|n)?|tie[sd]?|tying)\b{_ON}\s(?P<order>(?!))?(?:with|against)\s{TITLE}",
    re.IGNORECASE,
)
# In a table of matches a place says who played there: "won 3-0 at Orwell".
_AT = re.compile(
    rf"{_LEAD}(?:(?P<won>{WIN})|{LOSE}|loss|defeat)\b{_ON}\s(?P<order>(?!))?(?:away\s)?at\s{TITLE}",
    re.IGNORECASE,
)
# How a word starts without which none of this is said.
FIGHTS = (
    "beat", "defeat", "edg", "oust", "unseat", "depos", "dethron", "outpoll", "outscor", "overc", "overpow",
    "overwhelm", "topp", "trounc", "thrash", "best", "rout", "crush", "hammer", "demolish", "vanquish",
    "conquer", "eliminat", "dispatch", "stunn", "upset", "pipp", "downed", "sweep", "swept", "whitewash",
    "knock", "dump", "voted", "voting", "better", "pull", "won", "win", "victor", "triumph", "prevail",
    "success", "los", "fell", "fall", "went", "going", "succumb", "bow", "conced", "crash", "held", "hold",
    "saw", "see", "fend", "fight", "fought", "second", "runner", "ahead",
    "took", "takes", "taking", "gain", "regain", "captur", "recaptur", "wrest", "snatch",
)  # fmt: skip
# Those of places and of draws.
OPENERS = (
    *FIGHTS, "third", "fourth", "fifth", "last", "behind", "trail", "adrift", "front",
    "secured", "claimed", "hands", "match", "drew", "draw", "tie", "tying",
    "outd", "outp", "outs", "oute", "out-e", "outr", "surpass", "top", "exceed", "eclips", "overt", "lag",
    "underperform", "led", "lead", "plac", "rank", "finish",
)  # fmt: skip
# What is said of one name alone: first of all ("won with 52%"), or not so ("lost with 39%").
ALONE = re.compile(
    r"(?:\s(?:[a-z]+ly|also|then|again|still|just|only))?(?:"
    r"\s(?P<first>(?:w[io]ns?|was\s(?:the\s)?(?:winner|victor|victorious)|came\s(?:in\s)?first|finished\sfirst)(?=,?\s(?:(?:with|on|by)\s|in\s\d+:))"
    r"|(?:won|wins|took|takes|gained|captured|secured|claimed)\s(?:the|her|his|their)\s(?:seat|election|by-?election"
    r"|race|constituency|contest|poll|vote|presidency|governorship)\b)"
    r"|\s(?:los(?:t|es)|(?:was|were)\s(?:[a-z]+ly\s)?(?:defeated|beaten|unseated|ousted)|came\s(?:in\s)?(?:second|third)"
    r"|(?:finished|ran|placed)\s(?:second|third)|(?:was|were)\sthe\srunners?-up)(?=,?\s(?:with|on|by)\s)"
    r"|,\s(?:the\s)?runners?-up\b|\sin\s(?:second|third)\splace\b"
    r"|\slos(?:t|es)\s(?:the|her|his|their)\s(?:seat|election|by-?election|race|constituency|contest)\b)",
    re.IGNORECASE,
)
# What did not come about.
UNREAL = re.compile(
    r"\b(?:had(?!\sthe\sbetter)|no(?!\smatch)|not|never|neither|nor|without|nearly|almost|fail\w*|could|would|might|may|tr(?:y|ied|ying)"
    r"|attempt\w*|hop(?:e|ed|ing)|sought|seek\w*|aim\w*|if|unless|expected|favou?rites?|challeng\w+|rather)\b"
    r"|n['\u2019]t\b",
    re.IGNORECASE,
)
# Somebody else does it: "and his successor lost to".
OTHERS = re.compile(
    r"(?:\b(?:[Aa]nd|but|while|when|whereas|as|after|before|where|until|though|although|since|because)|,)\s"
    r"(?:the|an?|his|her|their|its|he|she|they|it|we|others?|both|all|[A-Z][\w.'\u2019-]*)\s"
)
# More about the first name, closed before the verb: "Vale (Unity), the incumbent,".
ASIDE = re.compile(r"(?:['\u2019]s)?(?:\s?\([^()]*\)|,\s(?:[^,;:]|(?<=\d)[,:](?=\d)){0,60},(?=\s))")
# What is said of figures more than of contests.
_OUTDOES = re.compile(
    rf"{_LEAD}(?:{OUTDO}|better(?:s|ed|ing)|led|leads|leading|(?:plac|rank|finish)(?:es|ed|ing)\s(?:just\s)?above)\s{TITLE}",
    re.IGNORECASE,
)
_TRAILS = re.compile(
    rf"{_LEAD}(?:{TRAIL}|(?:plac|rank|finish)(?:es|ed|ing)\s(?:just\s)?below)\s{TITLE}", re.IGNORECASE
)


class Told(NamedTuple):
    """What a text tells of two names: 1 where the first won, -1 where it lost, 0 where they drew.

    `order` marks words of places in an order, which are true of a league too, `figures` those that are only
    of figures told with them.
    """

    won: int
    order: bool
    figures: bool = False


def told_between(
    text: str, start: int, end: int, *, matches: bool = False, figures: bool = False
) -> Told | None:
    """Return what the stretch between two names says of who beat whom; None where it says nothing.

    `matches` reads "won at" too, for tables of matches, `figures` what is only said of figures ("surpassed").
    """
    aside = ASIDE.match(text, start, end)
    since = aside.end() if aside else start
    for pattern, won in ((_LOSES, -1), (_BEATS, 1), (_DRAWS, 0), *(((_AT, -1),) if matches else ())):
        found = pattern.fullmatch(text, since, end)
        if found is None:
            continue
        if UNREAL.search(text, since, end) or OTHERS.search(found["lead"]):
            return None
        led = 1 if pattern is _AT and found["won"] else won
        return Told(led, found["order"] is not None)
    for pattern, won in ((_OUTDOES, 1), (_TRAILS, -1)) if figures else ():
        found = pattern.fullmatch(text, since, end)
        if found is not None and not (UNREAL.search(text, since, end) or OTHERS.search(found["lead"])):
            return Told(won, order=True, figures=True)
    return None
