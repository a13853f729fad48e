"""A client that sends GTP commands to the engine and reads its replies."""

import re

# The commands that front ends need first; all must exist.
STANDARD = (
    "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove "
    "undo time_settings time_left final_score showboard reg_genmove loadsgf list_games set_game "
    "rectangular_boardsize gg-undo play_sequence gogui-play_sequence gogui-interrupt gogui-analyze_commands "
    "cputime analyze lz-analyze kata-analyze genmove_analyze lz-genmove_analyze kata-genmove_analyze"
).split()


class Client:
    """A GTP front end for one of conftest.py's engines."""

    def __init__(self, engine, *commands):
        self.engine = engine
        self.all(*commands)

    def reply(self):
        """Return (status with the id, text) of the next reply, which must end with an empty line."""
        lines = self.engine.until("")[:-1]
        status, text = re.fullmatch(r"([=?]\d*)(?: (.*))?", lines[0]).groups()
        return status, "\n".join([text or "", *lines[1:]])

    def ask(self, command):
        """Return the text of a command's reply, which must not be an error."""
        self.engine.send(command)
        status, text = self.reply()
        assert status[0] == "=", (command, text)
        return text

    def fail(self, command):
        """Return the text of a command's reply, which must be an error."""
        self.engine.send(command)
        status, text = self.reply()
        assert status[0] == "?", (command, text)
        return text

    def all(self, *commands):
        """Send commands, whose replies must be empty."""
        for command in commands:
            assert self.ask(command) == "", command
        return self
