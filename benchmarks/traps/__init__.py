"""Questions on which semantic layers slip, with the truth: tables, definitions, cases, and a runner."""
