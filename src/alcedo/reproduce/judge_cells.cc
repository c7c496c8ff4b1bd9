#include "alcedo/reproduce/judge_cells.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace alcedo::reproduce {
namespace {

// Representation, words, descriptor; then the methods.
using Key = std::tuple<std::string, int, std::string>;
using ByKey = std::map<Key, std::map<std::string, const JudgedCell*>>;

// The pairs of methods that are worth a test, the better known one last.
const std::vector<std::pair<std::string, std::string>>& ComparedMethods() {
  static const std::vector<std::pair<std::string, std::string>> pairs{
      {"gmp", "sum"},
      {"gmp", "sum+p"},
      {"gmp+p", "sum+p"},
      {"gmp", "democratic"},
      {"gmp+p", "democratic+p"},
      {"gmp", "gamma-democratic"},
      {"gmp+p", "gamma-democratic+p"},
      {"gmp", "max"}};
  return pairs;
}

// What others do about bursts of patches instead of GMP, on encodings of their own.
struct Rival {
  std::string encoder;  // of GMP
  std::string method;
  std::string rival;     // the encoder of the rival,
  std::string baseline;  // its method,
  std::string name;      // and what both are called
};

const std::vector<Rival>& Rivals() {
  static const std::vector<Rival> rivals{
      {"fv", "gmp", "fv-intra", "sum", "intra-normalised sum"},
      {"fv", "gmp+p", "fv-intra", "sum+p", "intra-normalised sum+p"},
      {"fv", "gmp+p", "soft-fv", "sum+p", "sum+p of posteriors"},
      {"emk", "gmp", "emk-centred", "sum", "centred sum"}};
  return rivals;
}

// The kind of vocabulary that an encoder has: of the same size and descriptor they are one.
std::string VocabularyOf(std::string encoder) {
  for (const std::string variant : {"-intra", "-centred"}) {
    if (encoder.ends_with(variant)) encoder.resize(encoder.size() - variant.size());
  }
  if (encoder == "soft-fv") return "fv";
  if (encoder == "sv" || encoder == "soft-bov") return "vlad";
  return encoder;
}

// How many vocabularies there are: what other seeds draw independently. Methods, pyramids and what
// is done to pooled vectors share one, and a fusion has none of its own.
int CountVocabularies(const std::vector<JudgedCell>& cells) {
  std::set<Key> vocabularies;
  for (const JudgedCell& judged : cells) {
    const report::Cell& cell = judged.cell;
    if (cell.descriptor == "fusion") continue;
    vocabularies.insert({VocabularyOf(cell.encoder), cell.gaussians, cell.descriptor});
  }
  return std::max(1, static_cast<int>(vocabularies.size()));
}

void AddComparisons(const Judge& judge, const ByKey& all, int vocabularies,
                    report::Results& results) {
  std::vector<Judged> judged;
  std::vector<report::Comparison> comparisons;
  const auto find = [&](const Key& key, const std::string& method) -> const JudgedCell* {
    const auto methods = all.find(key);
    if (methods == all.end()) return nullptr;
    const auto found = methods->second.find(method);
    return found == methods->second.end() ? nullptr : found->second;
  };
  const auto compare = [&](const Key& key, const JudgedCell* mine, const JudgedCell* other,
                           const std::string& baseline) {
    if (mine == nullptr || other == nullptr) return;
    judged.push_back(judge.Difference(mine->seeds, other->seeds));
    report::Comparison& c = comparisons.emplace_back();
    c.dataset = mine->cell.dataset;
    c.method = mine->cell.method;
    c.baseline = baseline;
    c.metric = mine->cell.metric;
    std::tie(c.encoder, c.gaussians, c.descriptor) = key;
    c.differences = judged.back().measure.seeds;
    c.seeds = static_cast<int>(c.differences.size());
    c.difference = mine->cell.value - other->cell.value;
  };
  for (const auto& [key, methods] : all) {
    for (const auto& [method, baseline] : ComparedMethods()) {
      compare(key, find(key, method), find(key, baseline), baseline);
    }
    const auto& [encoder, words, descriptor] = key;
    for (const Rival& rival : Rivals()) {
      if (encoder != rival.encoder) continue;
      const JudgedCell* other = find({rival.rival, words, descriptor}, rival.baseline);
      compare(key, find(key, rival.method), other, rival.name);
    }
  }
  JudgeTogether(judged, vocabularies);
  for (std::size_t i = 0; i < judged.size(); ++i) {
    comparisons[i].low = judged[i].interval.low;
    comparisons[i].high = judged[i].interval.high;
    comparisons[i].p = judged[i].p;
    results.comparisons.push_back(std::move(comparisons[i]));
  }
}

}  // namespace

std::string RepresentationOf(const report::Cell& cell) {
  return cell.table == "pyramid" ? cell.encoder + "-pyramid" : cell.encoder;
}

void AddJudged(const Judge& judge, std::vector<JudgedCell> cells, report::Results& results) {
  std::vector<Judged> values;
  ByKey all;
  for (const JudgedCell& judged : cells) {
    const report::Cell& cell = judged.cell;
    values.push_back(judge.Value(judged.seeds));
    all[{RepresentationOf(cell), cell.gaussians, cell.descriptor}][cell.method] = &judged;
  }
  const int vocabularies = CountVocabularies(cells);
  JudgeTogether(values, vocabularies);
  AddComparisons(judge, all, vocabularies, results);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i].cell.low = std::max(0.0, values[i].interval.low);
    cells[i].cell.high = std::min(100.0, values[i].interval.high);
    results.cells.push_back(std::move(cells[i].cell));
  }
}

}  // namespace alcedo::reproduce
