"""The eval runner's room: cases through a deployed system, scored family by family. Knows no gateway."""
