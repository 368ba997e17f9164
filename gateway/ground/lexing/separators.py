"""Which locales write 1,5 for one and a half.

Read from the Unicode Common Locale Data Repository as Babel 2.19.0 carries it (number symbols of the Latin
digits; Unicode License V3, Babel itself BSD-3-Clause). Tags are in lower case with hyphens. A tag that is not
listed with its region goes by its language.
"""

from gateway.ground.lexing.lexicon import words

COMMA = words(
    "ady af agq ast az ba bas be bg blo br bs bua ca cs cv da de dsb dua dyo el eo es et eu ewo ff fi fo "
    "fr fy gl hr hsb ht hu hy ia id ie is it jgo jv ka kab kbd kea kgp kk kkj kl ksf ku ky lb lij lld ln "
    "lo lt lu lv mgh mk mua nb nl nmg nn nnh no nr pl pms ps pt rm rn ro ru rw sah sc scn se seh sg shi "
    "sk sl smn sq sr ss su sv tg tk tok tr ts tt tzm uk uz ve vec vi wo yav yrl zgh"
)
# Regions that differ from their language.
COMMA_REGIONS = words(
    "ar-dz ar-lb ar-ly ar-ma ar-mr ar-tn en-at en-be en-cz en-de en-dk en-ee en-es en-fi en-fr en-ge "
    "en-hu en-id en-it en-lt en-lv en-nl en-no en-pl en-pt en-ro en-se en-si en-sk en-ua en-za ms-arab-bn "
    "ms-bn ms-id qu-bo sw-cd"
)
POINT_REGIONS = words(
    "az-arab az-arab-iq az-arab-ir az-arab-tr az-cyrl az-cyrl-az de-ch de-li es-419 es-br es-bz es-cu "
    "es-do es-gt es-hn es-mx es-ni es-pa es-pe es-pr es-sv es-us ff-adlm ff-adlm-bf ff-adlm-cm ff-adlm-gh "
    "ff-adlm-gm ff-adlm-gn ff-adlm-gw ff-adlm-lr ff-adlm-mr ff-adlm-ne ff-adlm-ng ff-adlm-sl ff-adlm-sn "
    "fr-rw it-ch kk-arab kk-arab-cn ku-arab ku-arab-iq ku-arab-ir"
)


def decimal_comma(locale: str) -> bool:
    """Tell whether people of a locale write 1,5 for one and a half."""
    tag = locale.lower().replace("_", "-")
    if tag in COMMA_REGIONS:
        return True
    return tag not in POINT_REGIONS and tag.split("-")[0] in COMMA
