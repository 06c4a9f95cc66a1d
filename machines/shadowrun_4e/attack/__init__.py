"""Steps 1 to 3 of an attack: targets, pools, modifiers, distance, recoil, suppressive fire."""
