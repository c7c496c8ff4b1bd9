"""What goes wrong, with its parts as attributes."""

from __future__ import annotations


class AlcedoError(Exception):
    """The base of all exceptions of this package that are not plain TypeError or ValueError.

    Attributes
    ----------
    hint : str
        What can be done about it; empty if nothing is known.
    """

    hint: str = ""


class InvalidArgument(AlcedoError, ValueError):
    """An argument breaks a rule.

    Attributes
    ----------
    option : str
        The keyword that is to blame; empty if no single one is.
    rule : str
        The rest of the sentence: ``"must be >= 0"``.
    value : str
        What was given, as text.
    """

    def __init__(self, option: str, rule: str, value: str, hint: str = "") -> None:
        sentence = f"{option} {rule}" if option else rule
        if value:
            sentence += f", got {value}"
        if hint:
            sentence += f" ({hint})"
        super().__init__(sentence)
        self.option, self.rule, self.value, self.hint = option, rule, value, hint

    def __reduce__(self) -> tuple[type, tuple[str, ...]]:
        return type(self), (self.option, self.rule, self.value, self.hint)


class FileError(AlcedoError):
    """Something is wrong with a file.

    Attributes
    ----------
    file : str
        Its name; empty if it has none.
    reason : str
        What is wrong with it.
    """

    def __init__(self, file: str, reason: str, hint: str = "") -> None:
        sentence = f"{file}: {reason}" if file else reason
        super().__init__(sentence + (f" ({hint})" if hint else ""))
        self.file, self.reason, self.hint = file, reason, hint

    def __reduce__(self) -> tuple[type, tuple[str, ...]]:
        return type(self), (self.file, self.reason, self.hint)


class FormatError(FileError, ValueError):
    """The bytes of a file are not what its format promises."""


class IoError(FileError, OSError):
    """The operating system refused to read or write a file."""


class ConvergenceWarning(UserWarning):
    """A solver stopped before it was as accurate as asked for."""
