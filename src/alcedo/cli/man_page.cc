#include "alcedo/cli/man_page.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "alcedo/base/version.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/stdio.h"

namespace alcedo::cli {
namespace {

using Lines = std::vector<std::string>;

std::string Upper(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

// No date: the same program gives the same bytes.
std::string Title(const std::string& name) {
  return fmt::format(".TH \"{}\" 1 \"\" \"alcedo {}\" \"Alcedo manual\"\n.nh\n.ad l\n",
                     RoffText(Upper(name)), Version());
}

std::string BoldText(std::string_view text) { return fmt::format("\\fB{}\\fR", RoffText(text)); }

std::string ItalicText(std::string_view text) { return fmt::format("\\fI{}\\fR", RoffText(text)); }

std::string Item(const std::string& term, std::string_view text) {
  return fmt::format(".TP\n{}\n{}\n", term, RoffText(text));
}

// As it stands, a little to the right.
std::string Verbatim(const Lines& lines) {
  std::string text = ".PP\n.RS 4\n.nf\n";
  for (const std::string& line : lines) text += RoffText(line) + "\n";
  return text + ".fi\n.RE\n";
}

std::string TermOf(const CLI::Option& option) {
  std::string term;
  for (const std::string& name : option.get_snames()) {
    term += fmt::format("{}{}", term.empty() ? "" : ", ", BoldText("-" + name));
  }
  for (const std::string& name : option.get_lnames()) {
    term += fmt::format("{}{}", term.empty() ? "" : ", ", BoldText("--" + name));
  }
  if (option.get_positional()) term = BoldText(option.get_name());
  const bool value = option.get_items_expected_max() > 0 && !option.get_type_name().empty();
  return value && !option.get_positional()
             ? fmt::format("{} {}", term, ItalicText(option.get_type_name()))
             : term;
}

std::string Synopsis(const CLI::App& app) {
  std::string text = fmt::format("{} [{}]", BoldText(app.get_name()), ItalicText("OPTIONS"));
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    const bool several = option->get_items_expected_max() > 1;
    text += fmt::format(" [{}{}]", ItalicText(option->get_name()), several ? "..." : "");
  }
  return text + "\n";
}

std::string Options(const CLI::App& app) {
  std::string text;
  std::string arguments;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    arguments += Item(TermOf(*option), option->get_description());
  }
  if (!arguments.empty()) text += ".SH ARGUMENTS\n" + arguments;
  text += ".SH OPTIONS\n";
  for (const std::string& group : app.get_groups()) {
    std::string items;
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional() || option->get_group() != group) continue;
      items += Item(TermOf(*option), option->get_description());
    }
    if (items.empty() || group.empty()) continue;
    if (group != "Options") text += fmt::format(".SS \"{}\"\n", RoffText(group));
    text += items;
  }
  return text;
}

Lines SplitLines(const std::string& text) {
  Lines lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

bool Indented(const std::string& line) { return line.starts_with("  "); }

// The indented lines from `at` on, without their indent; moves `at` behind them.
Lines TakeBlock(const Lines& lines, std::size_t& at) {
  Lines block;
  for (; at < lines.size() && Indented(lines[at]); ++at) block.push_back(lines[at].substr(2));
  return block;
}

// Remarks begin with #, and what follows them is typed.
std::string ExamplesText(const Lines& block) {
  std::string text = ".SH EXAMPLES\n";
  Lines commands;
  const auto flush = [&] {
    if (!commands.empty()) text += Verbatim(commands);
    commands.clear();
  };
  for (const std::string& line : block) {
    if (line.starts_with("# ")) {
      flush();
      text += fmt::format(".PP\n{}\n", RoffText(line.substr(2)));
    } else {
      commands.push_back(line);
    }
  }
  flush();
  return text;
}

// "3    some images were bad", and what is indented further goes on with it.
std::string ExitCodesText(const Lines& block) {
  std::string text = ".SH \"EXIT STATUS\"\n";
  for (const std::string& line : block) {
    const std::size_t words = line.find_first_not_of(' ', line.find(' '));
    if (line.starts_with(" ")) {
      text += RoffText(line.substr(line.find_first_not_of(' '))) + "\n";
    } else {
      text += Item(BoldText(line.substr(0, line.find(' '))), line.substr(words));
    }
  }
  return text;
}

// The footer of the help: paragraphs, and headings before indented lines.
struct Footer {
  std::string description, examples, exit_codes;
};

Footer ParseFooter(const std::string& text) {
  const Lines lines = SplitLines(text);
  Footer footer;
  bool open = false;  // inside a paragraph
  for (std::size_t at = 0; at < lines.size();) {
    const std::string& line = lines[at++];
    const bool heading = line.ends_with(":") && at < lines.size() && Indented(lines[at]);
    if (line.empty()) {
      open = false;
    } else if (heading && line == "Examples:") {
      footer.examples = ExamplesText(TakeBlock(lines, at));
    } else if (heading && line == "Exit codes:") {
      footer.exit_codes = ExitCodesText(TakeBlock(lines, at));
    } else if (Indented(line)) {
      footer.description += Verbatim(TakeBlock(lines, --at));
      open = false;
    } else {
      footer.description += fmt::format("{}{}\n", open ? "" : ".PP\n", RoffText(line));
      open = true;
    }
  }
  return footer;
}

}  // namespace

std::string RoffText(std::string_view text) {
  std::string roff;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) roff += "\\&";
    line_start = c == '\n';
    switch (c) {
      case '\\':
        roff += "\\e";
        break;
      case '-':
        roff += "\\-";
        break;
      case '\'':
        roff += "\\(aq";
        break;
      case '`':
        roff += "\\(ga";
        break;
      case '^':
        roff += "\\(ha";
        break;
      case '~':
        roff += "\\(ti";
        break;
      case '"':
        roff += "\\(dq";
        break;
      default:
        roff += c;
    }
  }
  return roff;
}

std::string ManPage(const CLI::App& app) {
  std::string name = app.get_name();
  std::ranges::replace(name, ' ', '-');
  // "Encodes images." as a phrase.
  std::string phrase = app.get_description();
  if (!phrase.empty()) phrase[0] = static_cast<char>(std::tolower(phrase[0]));
  if (phrase.ends_with(".")) phrase.pop_back();
  const Footer footer = ParseFooter(app.get_footer());
  return fmt::format(
      "{}.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}.SH DESCRIPTION\n{}\n{}{}{}{}"
      ".SH \"SEE ALSO\"\n\\fBalcedo\\fR(1)\n",
      Title(name), RoffText(name), RoffText(phrase), Synopsis(app), RoffText(app.get_description()),
      footer.description, Options(app), footer.examples, footer.exit_codes);
}

std::string ProgramManPage(const Summaries& commands, const std::string& examples) {
  std::string page = fmt::format(
      "{}.SH NAME\nalcedo \\- generalized max pooling of local descriptors\n.SH SYNOPSIS\n"
      "\\fBalcedo\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n.br\n"
      "\\fBalcedo\\fR \\fB\\-\\-help\\fR | \\fB\\-\\-version\\fR\n.SH DESCRIPTION\n"
      "Turns sets of local descriptors, such as those of the patches of an image, into one "
      "vector\n"
      "each, by generalized max pooling and its relatives; learns the vocabularies for it, and\n"
      "models that tell classes of images apart.\n.SH COMMANDS\n",
      Title("alcedo"));
  for (const auto& [name, summary] : commands) {
    page += Item(fmt::format("{}(1)", BoldText("alcedo-" + name)), summary);
  }
  page += ".SH OPTIONS\n" +
          Item(BoldText("--help"), "print the commands; after a command, print its options") +
          Item(BoldText("--version"), "print the version");
  page += ExamplesText(SplitLines(examples)) + ".SH \"EXIT STATUS\"\n";
  for (const auto& [code, text] : kExitCodes) {
    page += Item(BoldText(std::to_string(static_cast<int>(code))), text);
  }
  page += ".SH ENVIRONMENT\n" +
          Item(BoldText("NO_COLOR"), "where it is set and not empty, nothing is coloured or bold") +
          Item(BoldText("TERM"), "nothing is coloured or bold where it is unset, or \"dumb\"") +
          ".SH \"SEE ALSO\"\n";
  for (std::size_t i = 0; i < commands.size(); ++i) {
    page += fmt::format("{}(1){}\n", BoldText("alcedo-" + commands[i].first),
                        i + 1 < commands.size() ? "," : "");
  }
  return page + ".PP\nN. Murray and F. Perronnin, \\fIGeneralized Max Pooling\\fR, CVPR 2014.\n";
}

}  // namespace alcedo::cli
