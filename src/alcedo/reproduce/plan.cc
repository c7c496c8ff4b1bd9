#include "alcedo/reproduce/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/io/atomic_file.h"
#include "alcedo/training/training_set.h"

namespace alcedo::reproduce {
namespace {

bool Includes(TableChoice asked, TableChoice table) {
  if (asked == TableChoice::kAll || asked == table) return true;
  switch (asked) {
    case TableChoice::kPaper:
      return table == TableChoice::kOne || table == TableChoice::kTwo ||
             table == TableChoice::kPyramid;
    case TableChoice::kDemocratic:
      return table == TableChoice::kOne || table == TableChoice::kTwo;
    case TableChoice::kBaselines:
      return table == TableChoice::kOne || table == TableChoice::kTwo;
    case TableChoice::kBeyond:
      return table == TableChoice::kTwo || table == TableChoice::kDemocratic;
    default:
      return false;
  }
}

// Which families of poolings a row has.
struct Wanted {
  bool gmp = false;         // and sum
  bool democratic = false;  // and gamma-democratic
  bool max = false;         // and softmax
  bool sum = false;         // alone
};

// Patches of an image that democratic pooling of EMK takes.
constexpr Index kMostRowsOfKernel = 1000;

// Solvers are as accurate as options.accuracy asks for; everything else is what `encode` has.
std::vector<PoolChoice> Choices(const ReproduceOptions& options, const Wanted& wanted,
                                const EncoderOptions& encoder) {
  std::vector<PoolChoice> choices;
  if (wanted.gmp || wanted.sum) choices.push_back({"sum", "sum", SumOptions{}});
  if (wanted.gmp) {
    const bool emk = encoder.Is<EmkOptions>();
    GmpOptions gmp;
    gmp.tolerance = gmp.accuracy = options.accuracy;
    for (const double lambda : emk ? options.emk_lambdas : options.lambdas) {
      gmp.lambda = lambda;
      choices.push_back({fmt::format("gmp-{:g}", lambda), "gmp", gmp});
    }
    gmp.relative = true;
    for (const double lambda : options.relative_lambdas) {
      if (emk) break;  // its rows have a mean squared norm of about 1
      gmp.lambda = lambda;
      choices.push_back({fmt::format("gmp-relative-{:g}", lambda), "gmp", gmp});
    }
  }
  if (wanted.democratic) {
    DemocraticOptions democratic;
    // Soft assignments have no negative products: there is nothing to clip, and the kernel of all
    // patches with all patches is not needed.
    democratic.clip_negative = !encoder.Is<SoftBovOptions>();
    // With dense rows it needs the kernel of all patches with all patches: 800 MB for 10,000.
    if (encoder.Is<EmkOptions>()) democratic.most_rows = kMostRowsOfKernel;
    choices.push_back({"democratic", "democratic", democratic});
    for (const double gamma : options.gammas) {
      democratic.gamma = gamma;
      choices.push_back({fmt::format("democratic-{:g}", gamma), "gamma-democratic", democratic});
    }
  }
  if (wanted.max) {
    choices.push_back({"max", "max", MaxOptions{}});
    choices.push_back({"softmax", "softmax", SoftmaxOptions{.beta = 10}});
  }
  return choices;
}

// In the order in which tables print them.
std::vector<Row::Method> Methods(const std::string& table, const Wanted& wanted, bool powers) {
  std::vector<std::string> families;
  if (wanted.gmp || wanted.sum) families.push_back("sum");
  if (wanted.gmp) families.push_back("gmp");
  if (wanted.democratic) families.insert(families.end(), {"democratic", "gamma-democratic"});
  if (wanted.max) families.insert(families.end(), {"max", "softmax"});
  std::vector<Row::Method> methods;
  for (const std::string& family : families) {
    methods.push_back({family, family, false, table});
    if (powers) methods.push_back({family + "+p", family, true, table});
  }
  return methods;
}

Coding CodingWith(EncoderOptions encoder, VocabularyOptions vocabulary, int words) {
  Coding coding;
  coding.encoder = encoder;
  coding.vocabulary = vocabulary;
  coding.words = words;
  return coding;
}

class Planner {
 public:
  explicit Planner(const ReproduceOptions& options) : options_(options) {}

  // A row with one coding for each of its sigmas (one without any for encoders that have none).
  void Add(Coding coding, const std::string& encoder, const std::string& table,
           const Wanted& wanted, std::vector<double> sigmas, std::vector<double> powers) {
    std::vector<int> group;
    for (const DescriptorChoice& descriptor : DescriptorsOf(options_.descriptor)) {
      Row row;
      coding.descriptor = descriptor;
      row.descriptor = descriptor.name();
      row.encoder = encoder;
      row.words = coding.words;
      row.variant = VariantOf(coding);
      row.name = fmt::format("{}-{}", row.descriptor, encoder);
      if (row.words > 0) row.name += std::to_string(row.words);
      const std::string plain = row.name;
      if (!row.variant.empty()) row.name += "-" + row.variant;
      // Rows of their own, so that those of the paper do not depend on what lies beyond it.
      if (wanted.democratic && !wanted.gmp) row.name += "-democratic";
      row.powers = powers;
      row.methods = Methods(table, wanted, powers.size() > 1);
      coding.choices = Choices(options_, wanted, coding.encoder);
      for (const double sigma : sigmas) {
        coding.sigma = sigma;
        const std::string suffix = sigma > 0 ? fmt::format("-sigma{:g}", sigma) : "";
        coding.name = row.name + suffix;
        coding.pooled_as = coding.finish == Finish::kPlain ? -1 : NumberOf(plain + suffix);
        row.codings.push_back(static_cast<int>(plan_.codings.size()));
        std::vector<int>& all = row.searched.emplace_back(coding.choices.size());
        std::iota(all.begin(), all.end(), 0);
        plan_.codings.push_back(coding);
      }
      group.push_back(static_cast<int>(plan_.rows.size()));
      plan_.rows.push_back(std::move(row));
    }
    plan_.groups.push_back(std::move(group));
  }

  Plan Finish() { return std::move(plan_); }

 private:
  static std::string VariantOf(const Coding& coding) {
    if (coding.finish == Finish::kIntra) return "intra";
    if (coding.finish == Finish::kCentred) return "centred";
    return coding.pyramid != "1" ? "pyramid" : "";
  }

  // Of the coding with this name, which was added before.
  int NumberOf(const std::string& name) const {
    const auto found = std::ranges::find(plan_.codings, name, &Coding::name);
    return static_cast<int>(found - plan_.codings.begin());
  }

  const ReproduceOptions& options_;
  Plan plan_;
};

void RequireAll(const std::vector<double>& values, const char* name, const char* rule,
                bool (*holds)(double), bool may_be_empty = false) {
  if (values.empty() && !may_be_empty) {
    throw InvalidArgument(name, "must have at least one value", "");
  }
  for (const double value : values) Require(holds(value), name, rule, value);
}

}  // namespace

void Check(const ReproduceOptions& o) {
  const auto not_negative = [](double x) { return x >= 0 && std::isfinite(x); };
  const auto positive = [](double x) { return x > 0 && std::isfinite(x); };
  const auto unit = [](double x) { return x >= 0 && x <= 1; };
  RequireAll(o.gaussians, "gaussians", "a whole number from 1 to 4096",
             [](double x) { return x >= 1 && x <= 4096 && x == std::floor(x); });
  RequireAll(o.lambdas, "lambdas", ">= 0 and finite", not_negative, true);
  RequireAll(o.relative_lambdas, "relative_lambdas", ">= 0 and finite", not_negative, true);
  if (o.lambdas.empty() && o.relative_lambdas.empty()) {
    throw InvalidArgument("lambdas", "must have a value if relative_lambdas has none", "");
  }
  RequireAll(o.powers, "powers", "in [0, 1]", unit);
  RequireAll(o.sigmas, "sigmas", "> 0 and finite", positive);
  RequireAll(o.c, "c", "> 0 and finite", positive);
  RequireAll(o.emk_lambdas, "emk_lambdas", ">= 0 and finite", not_negative);
  RequireAll(o.gammas, "gammas", "in [0, 1]", unit);
  Require(o.seeds >= 1 && o.seeds <= 100, "seeds", "from 1 to 100", o.seeds);
  Require(o.folds >= 2, "folds", ">= 2", o.folds);
  Require(o.samples >= 1000, "samples", ">= 1000", o.samples);
  Check(static_cast<const DescribingOptions&>(o));
  if (o.descriptor.Is<ExternalOptions>()) {
    throw InvalidArgument("descriptor", "must be computed from images", "external");
  }
  Require(o.accuracy > 0 && o.accuracy < 1, "accuracy", "in (0, 1)", o.accuracy);
  Require(o.max_disk >= 0, "max_disk", ">= 0", o.max_disk);
}

std::string RepresentationName(const Row& row) {
  return row.variant.empty() ? row.encoder : fmt::format("{}-{}", row.encoder, row.variant);
}

WantedPoolings VectorsOf(const Plan& plan, std::span<const int> rows) {
  WantedPoolings wanted(plan.codings.size());
  for (const int r : rows) {
    const Row& row = plan.rows[static_cast<std::size_t>(r)];
    for (std::size_t i = 0; i < row.codings.size(); ++i) {
      const int coding = row.codings[i];
      const int pooled = PooledAs(plan.codings[static_cast<std::size_t>(coding)], coding);
      std::vector<int>& mine = wanted[static_cast<std::size_t>(pooled)];
      mine.insert(mine.end(), row.searched[i].begin(), row.searched[i].end());
    }
  }
  for (std::vector<int>& choices : wanted) {
    std::ranges::sort(choices);
    choices.erase(std::unique(choices.begin(), choices.end()), choices.end());
  }
  return wanted;
}

Plan MakePlan(const ReproduceOptions& options, bool pyramid) {
  Planner planner(options);
  // Asked for by name it is made of any dataset.
  pyramid = options.table == TableChoice::kPyramid ||
            (pyramid && Includes(options.table, TableChoice::kPyramid) && !options.lite);
  const bool beyond = Includes(options.table, TableChoice::kBeyond);
  const bool democratic = Includes(options.table, TableChoice::kDemocratic);
  const bool baselines = Includes(options.table, TableChoice::kBaselines);
  // Power 1 is among what "+p" may choose, and what the others have.
  std::vector<double> powers{1};
  for (const double power : options.powers) {
    if (power != 1) powers.push_back(power);
  }
  if (pyramid) {
    Coding fisher = CodingWith(FisherOptions{}, GmmOptions{}, 256);
    fisher.pyramid = "1,3x1";
    planner.Add(fisher, "fv", "pyramid", {.gmp = true}, {0}, powers);
  }
  const bool two = Includes(options.table, TableChoice::kTwo);
  std::vector<double> sizes = options.gaussians;
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  for (const double gaussians : sizes) {
    if (!two) continue;
    if (options.lite && gaussians != sizes.front()) continue;
    Coding fisher = CodingWith(FisherOptions{}, GmmOptions{}, static_cast<int>(gaussians));
    planner.Add(fisher, "fv", "2", {.gmp = true}, {0}, powers);
    if (democratic) planner.Add(fisher, "fv", "beyond", {.democratic = true}, {0}, powers);
    if (!baselines) continue;
    fisher.finish = Finish::kIntra;
    planner.Add(fisher, "fv", "beyond", {.gmp = true}, {0}, powers);
    fisher.finish = Finish::kPlain;
    fisher.encoder = FisherOptions{.assignment = FisherAssignment::kSoft};
    planner.Add(fisher, "soft-fv", "beyond", {.sum = true}, {0}, powers);
  }
  if (Includes(options.table, TableChoice::kOne)) {
    Coding emk = CodingWith(EmkOptions{}, GmmOptions{}, 0);
    planner.Add(emk, "emk", "1", {.gmp = true}, options.sigmas, {1});
    if (democratic) planner.Add(emk, "emk", "beyond", {.democratic = true}, options.sigmas, {1});
    emk.finish = Finish::kCentred;
    if (baselines) planner.Add(emk, "emk", "beyond", {.gmp = true}, options.sigmas, {1});
  }
  if (beyond && !options.lite) {
    const Wanted wanted{.gmp = true, .democratic = true};
    Coding coding = CodingWith(VladOptions{}, KMeansOptions{}, 256);
    planner.Add(coding, "vlad", "beyond", wanted, {0}, powers);
    coding.encoder = SuperVectorOptions{};
    planner.Add(coding, "sv", "beyond", wanted, {0}, powers);
    coding.encoder = SoftBovOptions{};
    planner.Add(coding, "soft-bov", "beyond", {.gmp = true, .democratic = true, .max = true}, {0},
                powers);
  }
  return planner.Finish();
}

namespace {
namespace fs = std::filesystem;

constexpr int kGaussiansForEmk = 16;

// EMK only needs the PCA and the median distance, which every vocabulary has.
int CodebookSize(const Coding& coding) {
  return coding.words > 0 ? coding.words : kGaussiansForEmk;
}

LearnConfig ConfigOf(const Coding& coding, const ReproduceOptions& options, std::uint64_t seed) {
  LearnConfig config;
  config.describe = DescribeWith(coding.descriptor, options);
  config.samples = options.samples;
  config.seed = seed;
  config.kind = coding.vocabulary;
  config.kind.Get<GmmOptions>().gaussians = CodebookSize(coding);
  config.kind.Get<KMeansOptions>().clusters = CodebookSize(coding);
  return config;
}

// What distinguishes two vocabularies, as long as options and seed are the same.
std::string VocabularyName(const Coding& coding) {
  return fmt::format("{}-{}{}", coding.descriptor.name(), coding.vocabulary.name(),
                     CodebookSize(coding));
}

// Those of all codings by name; what is not there yet is learned in one reading of the images.
std::map<std::string, NamedVocabulary> LearnOrRead(const Plan& plan, const Dataset& dataset,
                                                   const ReproduceOptions& options,
                                                   std::uint64_t seed, const Run& run) {
  const fs::path folder = run.work / "vocabularies";
  fs::create_directories(folder);
  const auto file_of = [&](const std::string& name) { return folder / (name + ".safetensors"); };
  std::map<std::string, LearnConfig> configs;
  for (const Coding& coding : plan.codings) {
    configs.emplace(VocabularyName(coding), ConfigOf(coding, options, seed));
  }
  std::vector<LearnTask> tasks;
  std::vector<std::string> missing;
  for (const auto& [name, config] : configs) {
    if (fs::exists(file_of(name))) continue;
    tasks.push_back({config, folder / (name + ".work"), "vocabulary " + name, false});
    missing.push_back(name);
  }
  if (!tasks.empty()) {
    const std::vector<LearnResult> learned =
        LearnIn(dataset, ImagesNotForTesting(dataset), tasks, run);
    for (std::size_t i = 0; i < learned.size(); ++i) {
      Write(run, [&] {
        WriteWholeFile(file_of(missing[i]), VocabularyBytes(learned[i].vocabulary));
        RemoveWorkFolder(tasks[i].work);
      });
    }
  }
  std::map<std::string, NamedVocabulary> vocabularies;
  for (const auto& [name, config] : configs) {
    vocabularies.emplace(name, OpenVocabulary(file_of(name).string()));
  }
  return vocabularies;
}

EncodeConfig EncodeConfigOf(const Vocabulary& vocabulary, std::uint64_t seed) {
  EncodeConfig config;
  config.describe = vocabulary.config.describe;
  config.seed = seed;
  return config;
}

Channel ChannelOf(const Coding& coding, const Vocabulary& vocabulary, std::uint64_t seed) {
  EncodeConfig config = EncodeConfigOf(vocabulary, seed);
  config.encoder = coding.encoder;
  config.encoder.Get<EmkOptions>().sigma = coding.sigma * vocabulary.training.median_distance;
  config.pyramid = coding.pyramid;
  std::vector<PoolingOptions> poolings;
  for (const PoolChoice& choice : coding.choices) poolings.push_back(choice.pooling);
  return Channel(vocabulary, config, std::move(poolings));
}

Channel BovChannel(const Vocabulary& vocabulary, std::uint64_t seed) {
  EncodeConfig config = EncodeConfigOf(vocabulary, seed);
  config.encoder.Choose<BovOptions>();
  GmpOptions gmp;
  gmp.lambda = 0;
  return Channel(vocabulary, config, {gmp, MaxOptions{}});
}

}  // namespace

ReadyPlan MakeReady(const Plan& plan, const Dataset& dataset, const ReproduceOptions& options,
                    std::uint64_t seed, const Run& run) {
  const auto vocabularies = LearnOrRead(plan, dataset, options, seed, run);
  std::vector<ReadyCoding> codings;
  std::vector<Channel> channels, bov;
  std::map<std::string_view, const Pca*> projections;  // by descriptor
  for (const Coding& coding : plan.codings) {
    const NamedVocabulary& named = vocabularies.at(VocabularyName(coding));
    const Vocabulary& vocabulary = named.vocabulary;
    const Channel& channel = channels.emplace_back(ChannelOf(coding, vocabulary, seed));
    const auto cells = static_cast<Index>(channel.pyramid().cells.size());
    const Index block = coding.words > 0 ? channel.dimension() / cells / coding.words : 0;
    codings.push_back({coding, named.checksum, channel.dimension(), cells, block});
    const Pca* pca = vocabulary.pca ? &*vocabulary.pca : nullptr;
    const auto [known, is_new] = projections.emplace(coding.descriptor.name(), pca);
    if (is_new) bov.push_back(BovChannel(vocabulary, seed));
    if (pca != nullptr && known->second != nullptr &&
        known->second->components != pca->components) {
      throw FormatError((run.work / "vocabularies").string(),
                        "its vocabularies were not learned from the same images",
                        {.text = "remove the folder"});
    }
  }
  return {std::move(codings), ImageEncoder(std::move(channels)), ImageEncoder(std::move(bov)),
          options.accuracy};
}

}  // namespace alcedo::reproduce
