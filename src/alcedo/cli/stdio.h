// Standard input, output and error; colour and bold for people at a terminal who have not said no.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/base/run.h"

namespace alcedo::cli {

// Everything there is on standard input; FormatError if that is more than `max_bytes`.
// check(bytes) sees the first 64 KiB, or all, before the rest is read, and may throw.
std::string ReadStdin(std::int64_t max_bytes,
                      const std::function<void(std::string_view)>& check = {});

// All of `bytes`, or BrokenPipe if the reader went away, or IoError with the system's reason.
void WriteStdout(std::string_view bytes);
void WriteLines(const std::vector<std::string>& lines);
// Help on standard output, styled if that is a terminal.
void WriteHelp(std::string_view help);

// One line on standard error, control characters removed. The name before an error is in red if
// that is welcome.
void PrintLine(std::string_view line);
// "alcedo: warning: ..." and "note: ...", a line each.
void PrintWarnings(const std::vector<std::string>& warnings);
void PrintNotes(const std::vector<std::string>& notes);
// How many of how many, one line for each of the first 20, and where to find the rest (empty:
// nowhere).
void PrintFailures(std::span<const Failure> failures, std::size_t total, const std::string& rest);

// Whether this file descriptor is a terminal that knows escape codes (TERM is set, and not "dumb")
// and NO_COLOR (https://no-color.org) is unset or empty.
bool WantsStyle(int descriptor);
// A help text with its headings in bold: "Usage:", and lines that end with a colon and stand before
// an indented one.
std::string WithBoldHeadings(std::string_view help);

std::vector<std::string> Split(std::string_view text, char separator);
// The candidates that begin with `prefix`.
std::vector<std::string> WithPrefix(const std::vector<std::string>& candidates,
                                    const std::string& prefix);

// The whole of `text` as a number; UsageError naming `option` otherwise. Accepts inf.
double ParseDouble(std::string_view option, std::string_view text);
int ParseInt(std::string_view option, std::string_view text);
std::uint64_t ParseUnsigned(std::string_view option, std::string_view text);
// Numbers separated by commas, at least one.
std::vector<double> ParseDoubles(std::string_view option, std::string_view text);

}  // namespace alcedo::cli
