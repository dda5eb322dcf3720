# Lies outside of the source folder: no tool may show it.
ANSWER = 42
