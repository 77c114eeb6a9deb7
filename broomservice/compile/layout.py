"""The layout of the cells: where each place, counter and seat of a game lies in the position.

Places are numbered: first every site (a site is a place too), then the common places and those of
each player. Pieces of which there is one each have a cell that tells where they lie; of other
pieces every place counts the copies. A place that holds one piece at most names its occupant.
"""

from __future__ import annotations

import attrs

from broomservice.compile.names import Names
from broomservice.compile.things import Counter, PlaceKind
from broomservice.core.table import Layout

Starts = dict[int, dict[int, int]]


@attrs.frozen
class CounterCells:
    """Where a counter's cells begin, and how many there are."""

    base: int
    count: int


@attrs.define
class Plan:
    """The layout, and where the compiler finds things in it.

    `seats` is the first cell of the seating order, -1 if nobody changes seats. `starts` tells for
    each kind of piece how many copies lie in which place at first.
    """

    names: Names
    players: int
    seats: int = -1
    cells: list[int] = attrs.field(factory=list)
    labels: list[str] = attrs.field(factory=list)
    place_base: dict[str, int] = attrs.field(factory=dict)
    place_names: list[str] = attrs.field(factory=list)
    place_sees: list[str] = attrs.field(factory=list)
    counters: dict[str, CounterCells] = attrs.field(factory=dict)
    unique: dict[str, int] = attrs.field(factory=dict)
    layout: Layout = attrs.field(init=False)
    starts: Starts = attrs.field(factory=dict)
    held: list[tuple[str, ...]] = attrs.field(factory=list)
    built: bool = False

    def new_cell(self, label: str, amount: int = 0) -> int:
        """Add a cell and return its number."""
        self.cells.append(amount)
        self.labels.append(label)
        return len(self.cells) - 1

    def build(self, starts: Starts, moving_seats: bool) -> None:
        """Lay out all cells and put the pieces where they begin."""
        self.starts = starts
        names = self.names
        if moving_seats:
            self.seats = self.new_cell("seat of p1", 0)
            for player in range(1, self.players):
                self.new_cell(f"seat of p{player + 1}", player)
            for seat in range(self.players):
                self.new_cell(f"player on seat {seat + 1}", seat)
        for counter in names.counters.values():
            self.add_counter(counter)
        self.number_places()
        self.mark_unique()
        kinds, places = len(names.pieces), len(self.place_names)
        self.layout = Layout(
            kinds,
            places,
            [-1] * kinds,
            [-1] * (kinds * places),
            [-1] * places,
            [-1] * places,
            [-1] * places,
            [0] * places,
            [-1] * places,
            [0] * kinds,
        )
        self.built = True
        self.add_whereabouts()
        self.add_places()
        self.put_pieces()

    def add_counter(self, counter: Counter) -> None:
        """Give a counter one cell, or one for each player, site or piece."""
        start = 0 if counter.type.kind in ("number", "truth") else -1
        if counter.per is None:
            owners = [""]
        elif counter.per.kind == "player":
            owners = [f"(p{i + 1})" for i in range(self.players)]
        elif counter.per.kind == "site":
            owners = [f"({site.id})" for site in self.names.site_kinds[counter.per.of].sites]
        elif counter.per.kind == "piece":
            owners = [f"({kind.id})" for kind in self.names.families[counter.per.of].kinds]
        else:
            owners = [f"({word})" for word in self.names.word_sets[counter.per.of]]
        base = len(self.cells)
        for owner in owners:
            self.new_cell(counter.name + owner, start)
        self.counters[counter.name] = CounterCells(base, len(owners))

    def number_places(self) -> None:
        for site in self.names.sites.values():
            kind = self.names.site_kinds[site.kind]
            self.place_names.append(site.id)
            self.place_sees.append(kind.sees)
            self.held.append(kind.holds)
        for place in self.names.places.values():
            self.place_base[place.name] = len(self.place_names)
            for owner in self.owners_of(place):
                self.place_names.append(place.name if owner < 0 else f"{place.name}(p{owner + 1})")
                self.place_sees.append(place.sees)
                self.held.append(place.holds)

    def owners_of(self, place: PlaceKind) -> list[int]:
        """Return the players who have such a place; -1 for a common one."""
        return list(range(self.players)) if place.per_player else [-1]

    def mark_unique(self) -> None:
        """A family of which every kind exists at most once is laid out by whereabouts."""
        for family in self.names.families.values():
            copies = [sum(self.starts.get(kind.number, {}).values()) for kind in family.kinds]
            if all(count <= 1 for count in copies):
                self.unique[family.name] = -1

    def add_whereabouts(self) -> None:
        for family in self.names.families.values():
            if family.name in self.unique:
                self.unique[family.name] = len(self.cells)
                for kind in family.kinds:
                    self.layout.whereabouts[kind.number] = self.new_cell(f"{kind.id} lies in", -1)

    def add_places(self) -> None:
        for site in self.names.sites.values():
            kind = self.names.site_kinds[site.kind]
            self.layout.active[site.number] = int(kind.active)
            self.add_place(site.number, kind.limit)
        for place in self.names.places.values():
            base = self.place_base[place.name]
            for i, owner in enumerate(self.owners_of(place)):
                self.layout.active[base + i] = int(place.active)
                self.layout.owners[base + i] = owner
                self.add_place(base + i, place.limit)

    def add_place(self, place: int, limit: int) -> None:
        """Give a place its cells: occupant, or size and a count of each kind that has copies."""
        layout = self.layout
        layout.limits[place] = limit
        families = [self.names.families[name] for name in self.held[place]]
        if not families:
            return
        if limit == 1:
            layout.occupants[place] = self.new_cell(f"occupant of {self.place_names[place]}", -1)
            return
        layout.sizes[place] = self.new_cell(f"size of {self.place_names[place]}")
        for family in families:
            if family.name not in self.unique:
                for kind in family.kinds:
                    layout.tallies[place * layout.kinds + kind.number] = self.new_cell(
                        f"{kind.id} in {self.place_names[place]}"
                    )

    def put_pieces(self) -> None:
        layout = self.layout
        for kind, places in self.starts.items():
            for place, count in places.items():
                if count:
                    layout.copies[kind] += count
                    self.put(kind, place, count)

    def put(self, kind: int, place: int, count: int) -> None:
        layout = self.layout
        if layout.whereabouts[kind] >= 0:
            self.cells[layout.whereabouts[kind]] = place
        tally = layout.tallies[place * layout.kinds + kind]
        if tally >= 0:
            self.cells[tally] += count
        if layout.occupants[place] >= 0:
            self.cells[layout.occupants[place]] = kind
        if layout.sizes[place] >= 0:
            self.cells[layout.sizes[place]] += count

    @property
    def sizes(self) -> list[int]:
        """The cell that counts the pieces of each place; -1 where there is none, and at the end."""
        return [*self.layout.sizes, -1] if self.built else [-1]

    def stride(self, place: PlaceKind) -> int:
        """Return how many cells apart the same cell of two players' places is."""
        if not place.per_player or self.players < 2 or not self.built:
            return 0
        base = self.place_base[place.name]
        one, two = self.first_cell(base), self.first_cell(base + 1)
        return two - one

    def first_cell(self, place: int) -> int:
        """Return the first cell of a place: its occupant or its size."""
        if not self.built:
            return -1
        layout = self.layout
        occupant = layout.occupants[place]
        return occupant if occupant >= 0 else layout.sizes[place]
