"""The critical miss tables: used by the attacker in box 16, by the target for a failed parry in box 27."""

from machines.contract.chart import Chart, Choose, Do, End, Roll
from machines.gurps_3e.attack import fumbling

# fmt: off
CRITICAL_MISS = Chart(
    "critical_miss", "Critical miss tables",
    Roll  ("f1", "3d on the table of the weapon",          ask=fumbling.miss_roll, read=fumbling.read_miss, goto="f2",
           see="GCT Critical Miss Table, CII 48-51 Flowchart box 16"),
    Roll  ("f2", "Some results count only if they come twice", ask=fumbling.again_roll, read=fumbling.read_miss, goto="f3", see="GCT Critical Miss Table"),
    Roll  ("f3", "What the result rolls",                  ask=fumbling.detail_roll, read=fumbling.suffer,
           lost="lost", oneself="oneself", goes_on="goes_on", flies="f4", dx="f6",
           see="GCT Critical Miss Table, GCT Firearm Critical Miss Table, CII 48-51 Flowchart box 16"),
    Choose("f4", "Who stands there?",                      fumbling.offer_bystander,       goto="f5", see="GCT Critical Miss Table"),
    Do    ("f5", "They roll DX",                           fumbling.endangered,            lost="lost", dx="f6", see="GCT Critical Miss Table"),
    Roll  ("f6", "DX",                                     ask=fumbling.dexterity_roll, read=fumbling.read_dexterity,
           lost="lost", goes_on="goes_on", see="GCT Critical Miss Table, GCT Firearm Critical Miss Table"),
    End   ("lost",    "Dropped, broken or disabled"),
    End   ("oneself",    "Strikes its owner"),
    End   ("goes_on", "Anything else"),
    source="GCT Critical Miss Table",
)
# fmt: on
