"""Countable things: ammunition, Edge, Moxie, pools, the structure of a barrier."""

from collections.abc import Mapping

import msgspec

from ledger.events import Adjusted, ResourceGained, ResourceOpened, ResourceSpent
from projections.fold import Routes


class Resource(msgspec.Struct, frozen=True, gc=False):
    """How much is left, of how much."""

    left: int = 0
    of: int = 0


NO_RESOURCE = Resource()


class Resources(msgspec.Struct, frozen=True, gc=False):
    """By combatant, by name."""

    having: Mapping[str, Mapping[str, Resource]] = {}

    def resource(self, who: str, name: str) -> Resource:
        """A resource; an empty one where there is none."""
        return self.having.get(who, {}).get(name, NO_RESOURCE)


def _set(resources: Resources, who: str, name: str, left: int, of: int) -> Resources:
    mine = {**resources.having.get(who, {}), name: Resource(max(0, left), of)}
    return Resources({**resources.having, who: mine})


def _opened(resources: Resources, event: ResourceOpened) -> Resources:
    return _set(resources, event.who, event.resource, event.left, event.of)


def _spent(resources: Resources, event: ResourceSpent) -> Resources:
    one = resources.resource(event.who, event.resource)
    return _set(resources, event.who, event.resource, one.left - event.amount, one.of)


def _gained(resources: Resources, event: ResourceGained) -> Resources:
    one = resources.resource(event.who, event.resource)
    return _set(resources, event.who, event.resource, one.left + event.amount, one.of)


def _adjusted(resources: Resources, event: Adjusted) -> Resources:
    kind, _, name = event.what.partition(".")
    if kind != "resources" or not isinstance(event.after, int):
        return resources
    return _set(resources, event.who, name, event.after, resources.resource(event.who, name).of)


ROUTES: Routes = {ResourceOpened: _opened, ResourceSpent: _spent, ResourceGained: _gained, Adjusted: _adjusted}
