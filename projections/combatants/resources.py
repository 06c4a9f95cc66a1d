"""The countable resources of combatants: ammunition, Edge, Moxie, pools, the structure of a barrier."""

from collections.abc import Mapping

import msgspec

from ledger.events import Adjusted, Audience, ResourceGained, ResourceOpened, ResourceSpent
from projections.fold import Routes


class Resource(msgspec.Struct, frozen=True, gc=False):
    """A resource: how much is left, and the maximum."""

    left: int = 0
    of: int = 0
    seen_by: Audience = None
    """Who may see it."""


NO_RESOURCE = Resource()


class Resources(msgspec.Struct, frozen=True, gc=False):
    """All resources, by combatant and name."""

    having: Mapping[str, Mapping[str, Resource]] = {}

    def resource(self, who: str, name: str) -> Resource:
        """Returns a resource; an empty one if the combatant has no such resource."""
        return self.having.get(who, {}).get(name, NO_RESOURCE)


def _set(resources: Resources, who: str, name: str, left: int, of: int, seen_by: Audience) -> Resources:  # noqa: PLR0917
    mine = {**resources.having.get(who, {}), name: Resource(max(0, left), of, seen_by)}
    return Resources({**resources.having, who: mine})


def _opened(resources: Resources, event: ResourceOpened) -> Resources:
    return _set(resources, event.who, event.resource, event.left, event.of, event.seen_by)


def _spent(resources: Resources, event: ResourceSpent) -> Resources:
    one = resources.resource(event.who, event.resource)
    return _set(resources, event.who, event.resource, one.left - event.amount, one.of, one.seen_by)


def _gained(resources: Resources, event: ResourceGained) -> Resources:
    one = resources.resource(event.who, event.resource)
    return _set(resources, event.who, event.resource, one.left + event.amount, one.of, one.seen_by)


def _adjusted(resources: Resources, event: Adjusted) -> Resources:
    kind, _, name = event.what.partition(".")
    if kind != "resources" or not isinstance(event.after, int):
        return resources
    one = resources.resource(event.who, name)
    return _set(resources, event.who, name, event.after, one.of, one.seen_by)


ROUTES: Routes = {ResourceOpened: _opened, ResourceSpent: _spent, ResourceGained: _gained, Adjusted: _adjusted}
