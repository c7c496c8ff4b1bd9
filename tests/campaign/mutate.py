"""Damages bytes in the ways that matter to a parser; the same random numbers give the same damage."""
import re

NUMBERS = [0, 1, 0x7F, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7F800000, 0x7FC00000, 0x7FF8000000000000,
           1 << 32, 1 << 60, 1 << 63, (1 << 64) - 1]
TEXTS = [b"0", b"-1", b"1e9", b"1e308", b"nan", b"inf", b"100000000", b"1152921504606846976", b"18446744073709551616",
         b"(", b")", b"{", b"}", b"[[", b"'", b'"', b"\\", b",", b"\n", b"\r\n", b"../", b"\xff\xfe", b"\xef\xbb\xbf",
         b"null", b"true", b"\0"]


def flip_bits(data, rng, _):
    for _ in range(rng.randint(1, 8)):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def cut(data, rng, _):
    del data[rng.randrange(len(data)):]


def set_number(data, rng, _):
    size = rng.choice([1, 2, 4, 8])
    value = rng.choice(NUMBERS) & ((1 << 8 * size) - 1)
    at = rng.randrange(len(data))
    data[at:at + size] = value.to_bytes(size, rng.choice(["little", "big"]))


def replace_digits(data, rng, _):
    runs = [match.span() for match in re.finditer(rb"\d+", bytes(data))]
    if runs:
        begin, end = rng.choice(runs)
        data[begin:end] = rng.choice(TEXTS)


def change_digit(data, rng, _):
    places = [at for at, value in enumerate(data) if 48 <= value <= 57]
    if places:
        data[rng.choice(places)] = 48 + rng.randrange(10)


def insert_text(data, rng, _):
    text = rng.choice(TEXTS)
    at = rng.randrange(len(data) + 1)
    data[at:at + rng.choice([0, len(text)])] = text


def splice(data, rng, other):
    at, begin = rng.randrange(len(data) + 1), rng.randrange(len(other))
    data[at:at + rng.randrange(64)] = other[begin:begin + rng.randrange(64)]


def repeat(data, rng, _):
    begin = rng.randrange(len(data))
    piece = data[begin:begin + rng.randint(1, 64)]
    data[begin:begin + rng.choice([0, len(piece)])] = piece * (1 << rng.randrange(6))


def remove(data, rng, _):
    begin = rng.randrange(len(data))
    del data[begin:begin + rng.randint(1, 64)]


KINDS = [flip_bits, cut, set_number, set_number, replace_digits, change_digit, insert_text, splice, repeat, remove]


def mutate(data, rng, other=None):
    """A damaged copy: one to three changes, most often one."""
    damaged = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        if damaged:
            rng.choice(KINDS)(damaged, rng, other or data)
    return bytes(damaged)
