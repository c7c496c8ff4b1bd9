#include "alcedo/cli/completion.h"

#include <algorithm>

#include "alcedo/cli/parse_app.h"

namespace alcedo::cli {
namespace {

// Bash splits --pooling=gmp into three words at the sign; an option and its value are two.
std::vector<std::string> JoinAtEquals(const std::vector<std::string>& words) {
  std::vector<std::string> joined;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool last = i + 1 == words.size();
    if (words[i] != "=" || joined.empty()) {
      joined.push_back(words[i]);
    } else if (last) {
      joined.emplace_back();
    }
  }
  return joined;
}

}  // namespace

std::vector<std::string> WithPrefix(const std::vector<std::string>& candidates,
                                    const std::string& prefix) {
  std::vector<std::string> matching;
  std::ranges::copy_if(candidates, std::back_inserter(matching),
                       [&](const std::string& word) { return word.starts_with(prefix); });
  return matching;
}

std::vector<std::string> CompleteOptions(const CLI::App& app, std::vector<std::string> words) {
  words = JoinAtEquals(words);
  if (words.empty()) return {};
  const std::string& last = words.back();
  if (words.size() > 1 && words[words.size() - 2].starts_with("-")) {
    const CLI::Option* option = app.get_option_no_throw(words[words.size() - 2]);
    const bool takes_value = option != nullptr && option->get_items_expected_max() > 0;
    // Options with a fixed set of values name them in their type, "a|b|c".
    if (takes_value && option->get_type_name().find('|') != std::string::npos) {
      return WithPrefix(CLI::detail::split(option->get_type_name(), '|'), last);
    }
    if (takes_value) return {};
  }
  // An option is offered once its first letter is typed; before that, a file is what is wanted.
  return last.starts_with("-") ? WithPrefix(OptionNames(app), last) : std::vector<std::string>{};
}

}  // namespace alcedo::cli
