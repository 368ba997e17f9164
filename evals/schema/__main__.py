"""Write the committed schemas anew."""

from evals.schema import schemas

if __name__ == "__main__":
    for path, text in schemas():
        path.write_text(text, encoding="utf-8")
