"""Charts of answers: what to plot, drawn as SVG or PNG."""
