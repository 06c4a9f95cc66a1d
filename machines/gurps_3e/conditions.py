"""The conditions that the rules of GURPS 3e cause or read; any other condition is free."""

from machines.gurps_3e.sheet.sheet_access import SPOILED, USELESS
from machines.gurps_3e.tables.tables import POSTURES

_NAMES = """
    aiming all_out_attack all_out_defense badly_scarred blinded dead deaf deaf_for_a_day
    deaf_for_good dx_reduced half_move_and_dodge off_balance one_eye_blinded only_defends scarred shield_destroyed
    shield_unready shock stunned unconscious waiting
"""
CONDITIONS_OF_THE_RULES = (*_NAMES.split(), *POSTURES, *(f"*_{word}" for word in (*SPOILED, *USELESS)), "feinted_by_*")
"""Names of conditions; ``*`` stands for a weapon, a limb, a spell or a combatant."""
