"""What an answer rests on, by hash or version: a replay names the one that changed."""

from metric_layer.plan import Dialect
from metric_layer.record import Record
from metric_layer.resolved import Used
from traces.data_records import DataReference


class Pins(Record):
    """Every input of the answer by hash or version, so that a replay can name the one that changed.

    `driver` is empty where the engine needs none. It and `search_path` are in no trace of format 1 or 2.
    `model` and `prompt` are empty where no model took part.
    """

    layer: str
    policy: str
    thresholds: str
    allowlist: str
    entitlement: str
    calendar: str
    used: tuple[Used, ...] = ()
    gateway: str
    parser: str
    engine: str
    engine_version: str
    driver: str = ""
    mode: str = ""
    search_path: str = ""
    dialect: Dialect
    zone: str
    data: DataReference
    model: str = ""
    prompt: str = ""
