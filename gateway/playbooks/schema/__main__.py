"""Write the committed schema anew."""

from gateway.playbooks.schema import FILE, schema_text

if __name__ == "__main__":
    FILE.write_text(schema_text(), encoding="utf-8")
