"""Definitions of our own to export: small, and with one of each kind."""

from metric_layer.definitions import Document

COLUMNS = (
    {"name": "order_id", "type": "integer", "nullable": False},
    {"name": "customer_id", "type": "integer"},
    {"name": "amount", "type": "decimal"},
    {"name": "status", "type": "string"},
    {"name": "ordered_on", "type": "date"},
)
OWN = Document.model_validate(
    {
        "datasets": (
            {"name": "orders", "relation": "shop.orders", "columns": COLUMNS, "primary_key": ("order_id",)},
            {
                "name": "customers",
                "relation": "shop.customers",
                "columns": (
                    {"name": "id", "type": "integer"},
                    {"name": "region", "type": "string"},
                    {"name": "email", "type": "string", "personal": "contact"},
                ),
                "primary_key": ("id",),
            },
        ),
        "relationships": (
            {
                "name": "orders_customers",
                "from_dataset": "orders",
                "to_dataset": "customers",
                "from_columns": ("customer_id",),
                "to_columns": ("id",),
            },
        ),
        "dimensions": (
            {"name": "status", "dataset": "orders", "column": "status", "synonyms": ("state",)},
            {"name": "ordered_on", "dataset": "orders", "column": "ordered_on"},
            {"name": "region", "dataset": "customers", "column": "region"},
        ),
        "metrics": (
            {
                "name": "revenue",
                "type": "sum",
                "version": 3,
                "owner": "sales",
                "description": "Money.",
                "dataset": "orders",
                "column": "amount",
                "filters": ({"field": "status", "op": "ne", "values": ("void",)},),
                "time_field": "ordered_on",
                "unit": "USD",
            },
            {
                "name": "orders_placed",
                "type": "count",
                "version": 1,
                "owner": "sales",
                "description": "Orders.",
                "dataset": "orders",
                "time_field": "ordered_on",
            },
            {
                "name": "order_value",
                "type": "ratio",
                "version": 1,
                "owner": "sales",
                "description": "Money per order.",
                "numerator": "revenue",
                "denominator": "orders_placed",
            },
        ),
        "calendar": {"fiscal_start_month": 2},
    }
)
