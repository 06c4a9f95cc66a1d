"""Success tests of Shadowrun: dice pools, glitches, Edge, and the tests of the screen."""
