"""Engines that speak USI, the protocol of shogi."""

from __future__ import annotations

from dataclasses import replace

from games.base import Position
from plyglot.infos import Info
from scripts.arena.uci import UciClient
from search.limits import Limits


class UsiClient(UciClient):
    """The Universal Shogi Interface: UCI with other positions, moves and clocks."""

    protocol = "usi"
    own_game = "shogi"
    game_begins = "usinewgame"
    position_word = "sfen"
    players = "bw"
    knows_overtime = True

    def _text(self, position: Position, move: int) -> str:
        return position.move_text(move)

    def _go(self, limits: Limits) -> list[str]:
        overtime = limits.overtime or limits.turn  # `turn` once the main time is used up
        if not overtime:
            return super()._go(limits)
        first, second = (max(round(1000 * (clock or 0.0)), 0) for clock in limits.clocks)
        byoyomi = round(1000 * overtime)
        return [f"go btime {first} wtime {second} byoyomi {byoyomi}"]

    def _tell(self, info: Info) -> None:
        mate = info.mate
        if mate is not None:  # USI counts plies, everything else here the winner's moves
            info = replace(info, mate=(abs(mate) + 1) // 2 * (1 if mate > 0 else -1))
        super()._tell(info)
