"""A GTP front end's end of the pipe."""

import re

# What a front end asks before anything else; none of it can be missing.
STANDARD = (
    "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove "
    "undo time_settings time_left final_score showboard reg_genmove loadsgf list_games set_game "
    "rectangular_boardsize gg-undo play_sequence gogui-play_sequence gogui-interrupt gogui-analyze_commands "
    "cputime analyze lz-analyze kata-analyze genmove_analyze lz-genmove_analyze kata-genmove_analyze"
).split()


class Client:
    """Talks GTP to an engine of conftest.py."""

    def __init__(self, engine, *commands):
        self.engine = engine
        self.all(*commands)

    def reply(self):
        """(status with the id, text) of the next reply; its lines end with a line that is truly empty."""
        lines = self.engine.until("")[:-1]
        status, text = re.fullmatch(r"([=?]\d*)(?: (.*))?", lines[0]).groups()
        return status, "\n".join([text or "", *lines[1:]])

    def ask(self, command):
        """The text of a command's reply, which must not be an error."""
        self.engine.send(command)
        status, text = self.reply()
        assert status[0] == "=", (command, text)
        return text

    def fail(self, command):
        """The text of a command's reply, which must be an error."""
        self.engine.send(command)
        status, text = self.reply()
        assert status[0] == "?", (command, text)
        return text

    def all(self, *commands):
        """Carry out commands that answer nothing."""
        for command in commands:
            assert self.ask(command) == "", command
        return self
