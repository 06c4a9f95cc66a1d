"""Combat turns of GURPS: the order of acting, a combatant's turn, time after a fight."""
