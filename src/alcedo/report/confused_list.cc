#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "alcedo/report/report_lists.h"
#include "alcedo/report/report_text.h"

namespace alcedo::internal {
namespace {

constexpr std::size_t kShown = 10;

struct Confused {
  std::size_t truth = 0, predicted = 0;
  std::int64_t count = 0, of = 0;
  double share() const { return static_cast<double>(count) / static_cast<double>(of); }
};

// By share and not by count: classes differ in size.
std::vector<Confused> MostConfused(const Confusion& confusion) {
  std::vector<Confused> pairs;
  const std::size_t n = std::min(confusion.classes.size(), confusion.counts.size());
  for (std::size_t r = 0; r < n; ++r) {
    const auto& row = confusion.counts[r];
    const auto sum = std::accumulate(row.begin(), row.end(), std::int64_t{0});
    for (std::size_t c = 0; c < std::min(n, row.size()); ++c) {
      if (r != c && row[c] > 0 && sum > 0) pairs.push_back({r, c, row[c], sum});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const auto& a, const auto& b) { return a.share() > b.share(); });
  pairs.resize(std::min(pairs.size(), kShown));
  return pairs;
}

}  // namespace

List ConfusedList(const Results& results) {
  using enum List::Column::Kind;
  List list{"Most often confused",
            "",
            {{"Dataset"},
             {"Encoder"},
             {"Descriptor"},
             {"Method"},
             {"Truth"},
             {"Taken for"},
             {"Images", kNumber},
             {"Share", kNumber}},
            {},
            {}};
  for (const Confusion& confusion : results.confusions) {
    for (const Confused& pair : MostConfused(confusion)) {
      list.rows.push_back(
          {TitleOf(results, confusion.dataset), EncoderName(confusion.encoder, confusion.gaussians),
           DescriptorName(confusion.descriptor), MethodName(confusion.method),
           confusion.classes[pair.truth], confusion.classes[pair.predicted],
           fmt::format("{} of {}", pair.count, pair.of), Percent(100 * pair.share()) + "%"});
    }
  }
  // Where there is one confusion its figure says which.
  for (std::size_t column = 4; column-- > 0;) DropColumnOfOneValue(list, column);
  return list;
}

}  // namespace alcedo::internal
