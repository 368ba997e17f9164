"""Names that only resemble words: recall and precision of the classifier on names it did not learn from."""

from collections.abc import Callable

import pytest

from gateway.discovery.kinds import Kind
from gateway.discovery.names import STRONG, classifier, hint_of, words_of

PERSONAL: dict[str, Kind] = {
    "cust_telefn": "phone",
    "phn_nbr_2": "phone",
    "mobl_phne": "phone",
    "hm_telphone": "phone",
    "emial": "email",
    "usr_eml_adr": "email",
    "e_maill": "email",
    "frstnme": "person_name",
    "lst_nme": "person_name",
    "surnme": "person_name",
    "pat_fullnm": "person_name",
    "brthdat": "birth_date",
    "dt_of_brth": "birth_date",
    "birthdte": "birth_date",
    "strt_adress": "address",
    "hme_addrss": "address",
    "shippng_addr": "address",
    "pstlcode": "postcode",
    "zpcode": "postcode",
    "lattitude": "coordinates",
    "longtd": "coordinates",
    "pasport_nbr": "national_id",
    "socl_securty": "national_id",
    "ipadr": "ip",
    "remrks": "free_text",
    "cust_cmmnts": "free_text",
    "crdt_crd_nbr": "card",
    "bnk_accnt": "iban",
}
PLAIN = (
    *("ordr_amt", "prd_ctgry", "qty_ordrd", "crtd_ts", "inv_nbr", "upd_dt", "is_actv", "stts_cd", "shp_mthd"),
    *("wght_kg", "colr", "sku_cde", "unt_prce", "wrhs_loc", "cntry", "curr_cde", "batch_num", "src_sys"),
    *(
        "tot_rev",
        "mrgn_pct",
        "dlvry_dt",
        "vhcl_cls",
        "snsr_rdg",
        "tmp_avg",
        "pg_views",
        "sess_dur",
        "evt_typ",
    ),
    *("load_ts", "row_hash", "prnt_key", "dept_cd", "proj_ref", "lang_cd", "tz_offst", "disc_rt", "tax_amnt"),
)


def test_recall_and_precision_on_names_it_did_not_learn_from(
    record_property: Callable[[str, object], None],
) -> None:
    guesses = {name: classifier().guess(words_of(name)) for name in (*PERSONAL, *PLAIN)}
    found = {name: guess.kind for name, guess in guesses.items() if guess is not None}
    right = [name for name, kind in PERSONAL.items() if found.get(name) == kind]
    recall, precision = len(right) / len(PERSONAL), len(right) / max(len(found), 1)
    record_property("recall", round(recall, 3))
    record_property("precision", round(precision, 3))
    missed = {name: found.get(name) for name in PERSONAL if name not in right}
    wrong = {name: kind for name, kind in found.items() if PERSONAL.get(name) != kind}
    assert recall >= 0.8, missed
    assert precision >= 0.9, wrong


def test_a_word_of_the_list_is_known_and_not_guessed() -> None:
    hint = hint_of("customers", "phone_number", guess=True)
    assert hint is not None and hint.weight == STRONG


@pytest.mark.parametrize("name", ["c07", "k1", "x", "id", "2026", "f12", "ref_1", "zz"])
def test_a_name_that_says_nothing_is_not_guessed(name: str) -> None:
    assert hint_of("things", name, guess=True) is None


def test_an_opaque_name_is_read_only_where_guesses_are_asked_for() -> None:
    assert hint_of("things", "cust_telefn", guess=False) is None
    hint = hint_of("things", "cust_telefn", guess=True)
    assert hint is not None and hint.kind == "phone" and hint.weight < STRONG
