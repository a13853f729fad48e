"""Completion of the command line in bash, zsh and fish: `plyglot completion SHELL` prints it.

The shell gets the options from the program's own --help, so the list is always complete.
"""

# ruff: noqa: E501  (lines of shells)
from __future__ import annotations

from collections.abc import Sequence

_BASH = """\
# bash completion of {program}; to have it in every new shell:
#   {program} completion bash >> ~/.bash_completion
_{name}() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} word=${{COMP_WORDS[1]}} found
    if [ "$COMP_CWORD" -eq 1 ]; then
        found="{words}"
    elif [ "${{COMP_WORDS[COMP_CWORD-1]}}" = --game ]; then
        found="{games}"
    elif [[ $cur == -* ]]; then
        found=$("${{COMP_WORDS[0]}}" "$word" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)
    elif [ "$COMP_CWORD" -eq 2 ] && [ "$word" = play ]; then
        found="{games}"
    fi
    COMPREPLY=($(compgen -W "$found" -- "$cur"))
    [ ${{#COMPREPLY[@]}} -gt 0 ] || COMPREPLY=($(compgen -f -- "$cur"))
}}
complete -o filenames -F _{name} {program}
"""

_ZSH = """\
#compdef {program}
# zsh completion of {program}; to have it in every new shell:
#   {program} completion zsh > "${{fpath[1]}}/_{program}"
autoload -U +X bashcompinit && bashcompinit
"""

_FISH = """\
# fish completion of {program}; to have it in every new shell:
#   {program} completion fish > ~/.config/fish/completions/{program}.fish
complete -c {program} -n "test (count (commandline -opc)) -eq 1" -f -a "{words}"
complete -c {program} -n "__fish_seen_subcommand_from play; and test (count (commandline -opc)) -eq 2" -f -a "{games}"
complete -c {program} -n "test (commandline -opc)[-1] = --game" -f -a "{games}"
complete -c {program} -n "test (count (commandline -opc)) -gt 1; and string match -q -- '-*' (commandline -ct)" -f \
-a "({program} (commandline -opc)[2] --help 2>/dev/null | string match -ra -- '--[a-z][a-z-]*' | sort -u)"
"""

_SHELLS = {"bash": _BASH, "zsh": _ZSH + _BASH, "fish": _FISH}
SHELLS = tuple(_SHELLS)


def completion(shell: str, program: str, words: Sequence[str], games: Sequence[str]) -> str:
    """Return the text that a shell reads to complete the words of `program`.

    shell: one of SHELLS; raises KeyError if not.  games: the names of all games.
    """
    name = "".join(char if char.isalnum() else "_" for char in program)
    return _SHELLS[shell].format(
        program=program, name=name, words=" ".join(words), games=" ".join(games)
    )
