"""The only reader of SQL text: what it reads, what it reads it against, and what it found."""

from metric_layer.sql.catalogue import Catalogue, CatalogueColumn, CatalogueJoin, CatalogueTable, ReadLimits
from metric_layer.sql.reader import PARSER_VERSION, Reader, read
from metric_layer.sql.reading import Reading
from metric_layer.sql.spelling import called_names

__all__ = [
    "PARSER_VERSION",
    "Catalogue",
    "CatalogueColumn",
    "CatalogueJoin",
    "CatalogueTable",
    "ReadLimits",
    "Reader",
    "Reading",
    "called_names",
    "read",
]
