"""One method on the screen: data, parameters, run bar, views, drawer."""
