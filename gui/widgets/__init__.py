"""Components of the window, one to a file. They know no method and no engine: plain Python values go in,
signals with plain Python values come out."""
