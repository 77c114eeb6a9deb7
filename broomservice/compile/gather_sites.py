"""Reads the sites of the board: attributes, links, and what is found from the other end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from broomservice.compile.things import (
    Relation,
    Site,
    SiteKind,
    text_of,
)
from broomservice.pack.load import Map, Seq

if TYPE_CHECKING:
    from broomservice.compile.names import Names


@attrs.define
class Sites:
    """Reads the sites of the board: attributes, links, and what is found from the other end."""

    names: Names

    def gather_sites(self) -> None:
        groups: Map = self.names.board.get("sites", Map(self.names.board.place))
        for kind_name in groups:
            if kind_name not in self.names.site_kinds:
                self.names.problems.unknown(
                    groups.key_at(kind_name),
                    "unknown-site",
                    f"there is no sort of site '{kind_name}'",
                    kind_name,
                    self.names.site_kinds,
                )
        for kind_name, kind in self.names.site_kinds.items():
            kind.first = len(self.names.sites)
            group: Map = groups.get(kind_name, Map(self.names.board.place))
            for name, node in group.items():
                if self.names.claim(name, group.key_at(name)):
                    site = Site(
                        len(self.names.sites),
                        name,
                        text_of(node.get("name"), name),
                        kind_name,
                        {},
                        {},
                        node,
                        group.key_at(name),
                    )
                    self.names.sites[name] = site
                    kind.sites.append(site)

    def fill_sites(self) -> None:
        """Read what is said of the sites, which may mention any piece or site."""
        for site in self.names.sites.values():
            self.fill_site(site, self.names.site_kinds[site.kind])
        self.fill_inverses()

    def fill_site(self, site: Site, kind: SiteKind) -> None:
        """Read a site's attributes and relations."""
        common = {"name", "at", "source", "because"}
        known = {*kind.attributes, *kind.relations, *common}
        for key in site.node:
            if key not in known:
                self.names.problems.unknown(
                    site.node.key_at(key),
                    "unknown-attribute",
                    f"sites of the sort '{kind.name}' have no attribute '{key}'",
                    key,
                    known,
                )
        for attribute in kind.attributes.values():
            site.values[attribute.name] = self.names.attribute_value(
                site.node, attribute, site.place
            )
        for relation in kind.relations.values():
            members: Any = site.node.get(relation.name, Seq(site.place))
            site.related[relation.name] = []
            if not isinstance(members, Seq):
                self.names.faulty_relations.add(relation.name)
                self.names.problems.add(
                    site.node.at(relation.name),
                    "wrong-type",
                    f"'{members}' stands where a list of sites is expected",
                    got=str(members),
                    expected=f"[{members}]",
                )
                continue
            for i, member in enumerate(members):
                other = self.names.site_named(member, relation.to, members.at(i))
                if other is None:
                    self.names.faulty_relations.add(relation.name)
                else:
                    site.related[relation.name].append(other)

    def fill_inverses(self) -> None:
        """Complete symmetric relations and those that are read from the other end."""
        for kind in self.names.site_kinds.values():
            for relation in kind.relations.values():
                if relation.symmetric:
                    self.mirror(kind, relation)
                elif relation.inverse:
                    for site in kind.sites:
                        for other in site.related[relation.name]:
                            self.add_inverse(other, relation.inverse, site.number)
            for attribute in kind.attributes.values():
                if attribute.inverse:
                    for site in kind.sites:
                        if site.values[attribute.name] >= 0:
                            self.add_inverse(
                                site.values[attribute.name], attribute.inverse, site.number
                            )
        for site in self.names.sites.values():
            for name in site.related:
                site.related[name] = sorted(set(site.related[name]))

    def mirror(self, kind: SiteKind, relation: Relation) -> None:
        """Each link of a symmetric relation is written once and holds both ways."""
        sites = list(self.names.sites.values())
        written: set[tuple[int, int]] = set()
        for site in kind.sites:
            for other in list(site.related[relation.name]):
                if other == site.number or (other, site.number) in written:
                    members = site.node[relation.name]
                    self.names.problems.add(
                        members.at(members.index(sites[other].id)),
                        "asymmetric-relation",
                        f"{site.id} and {sites[other].id}: write a link of '{relation.name}' "
                        "once, between two sites",
                        got=sites[other].id,
                    )
                written.add((site.number, other))
        for one, two in written:
            sites[two].related[relation.name].append(one)

    def add_inverse(self, site_number: int, name: str, other: int) -> None:
        site = list(self.names.sites.values())[site_number]
        site.related.setdefault(name, []).append(other)
