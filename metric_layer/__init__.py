"""The governed layer: definitions, plans, and the one way from a plan to SQL.

The rooms a guest needs: `load.load_layer`, `parse.parse_plan`, `resolve.resolve`, `compile.compile_plan`.
Nothing is imported here, so that a record of this floor costs no parser.
"""
