"""The fenced code blocks of a Markdown file, with their lines and what is asked of them."""
import importlib.util
import re
from dataclasses import dataclass


@dataclass
class Block:
    line: int  # of its first line of code, from 1
    language: str
    lines: list
    skip: str  # why it is not run, "" if it is


def read_blocks(text):
    """A block after the comment <!-- not run: REASON --> is not run, after <!-- needs: MODULE --> only if Python has it."""
    blocks, block, skip, fence = [], None, "", None
    for number, line in enumerate(text.splitlines(), 1):
        if block is not None:
            if line.strip() == fence:
                blocks.append(block)
                block = None
            else:
                block.lines.append(line)
            continue
        opening = re.match(r"(`{3,})(\w*)\s*$", line)
        comment = re.match(r"<!-- not run: (.+) -->$", line)
        needs = re.match(r"<!-- needs: (\w+) -->$", line)
        if opening:
            fence = opening[1]
            block = Block(number + 1, opening[2], [], skip)
            skip = ""
        elif comment:
            skip = f"not run: {comment[1]}"
        elif needs:
            skip = "" if importlib.util.find_spec(needs[1]) else f"skipped: there is no {needs[1]} here"
        elif line.strip():
            if skip:
                raise ValueError(f"line {number}: no block follows '{skip}'")
    if block is not None:
        raise ValueError(f"line {block.line}: the block does not end")
    return blocks


@dataclass
class Command:
    line: int
    text: str
    expected: list  # lines of output; None: whatever comes


def read_commands(block):
    """console: '$ command' ('> ' continues it), then its output. sh: the whole block, any output."""
    if block.language == "sh":
        return [Command(block.line, "\n".join(block.lines), None)]
    commands = []
    for number, line in enumerate(block.lines, block.line):
        if line.startswith("$ "):
            commands.append(Command(number, line[2:], []))
        elif line.startswith("> ") and commands and not commands[-1].expected:
            commands[-1].text += "\n" + line[2:]
        elif commands:
            commands[-1].expected.append(line)
        else:
            raise ValueError(f"line {number}: output before the first '$ command'")
    return commands


def matches(expected, actual):
    """Whether lines of output are the expected ones; ... stands for anything in a line, and for any lines."""
    pattern = ""
    for line in expected:
        if line.strip() == "...":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*?".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ \t]*\n"
    return re.fullmatch(pattern, "".join(line + "\n" for line in actual)) is not None
