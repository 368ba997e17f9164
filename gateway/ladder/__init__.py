"""The release ladder: classes of question earn their freedom one stage at a time, on the record."""
