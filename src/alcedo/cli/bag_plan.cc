#include "alcedo/cli/bag_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "alcedo/cli/errors.h"
#include "alcedo/cli/input_files.h"
#include "alcedo/cli/text.h"

namespace alcedo::cli {
namespace {
namespace fs = std::filesystem;

bool IsFloat(ElementType type) {
  return type == ElementType::kFloat16 || type == ElementType::kBfloat16 ||
         type == ElementType::kFloat32 || type == ElementType::kFloat64;
}

// Where the descriptors of a file have positions (pipeline/describe.h), these are no bag.
bool IsBesideDescriptors(const ArrayInfo& info, const std::vector<ArrayInfo>& arrays) {
  return (info.name == "positions" || info.name == "image_size") &&
         std::ranges::count(arrays, "descriptors", &ArrayInfo::name) > 0;
}

// The arrays of a file that are bags, or batches of bags.
std::vector<ArrayInfo> ChooseArrays(const PoolJob& job, const ArrayReader& reader,
                                    std::vector<std::string>& warnings) {
  const std::vector<ArrayInfo>& arrays = reader.arrays();
  if (!job.array.empty()) return {arrays[reader.Find(job.array)]};
  if (arrays.size() == 1) return arrays;
  std::vector<ArrayInfo> chosen;
  for (const ArrayInfo& info : arrays) {
    if (!IsFloat(info.type) || IsBesideDescriptors(info, arrays)) continue;
    if (info.shape.size() == 2 || info.shape.size() == 3) {
      chosen.push_back(info);
    } else {
      warnings.push_back(
          fmt::format("{} array '{}' of shape ({}) is neither a bag nor a batch; it is left out",
                      reader.file_name(), info.name, fmt::join(info.shape, ", ")));
    }
  }
  if (chosen.empty()) {
    throw InvalidArgument(
        fmt::format("{} holds no 2-D or 3-D floating-point array to pool", reader.file_name()));
  }
  return chosen;
}

std::vector<Index> ReadOffsets(const std::string& path, Index num_rows) {
  const ArrayReader reader = ArrayReader::Open(path);
  const std::vector<std::int64_t> offsets = reader.ReadIntegers(FindOrOnly(reader, "offsets"));
  if (offsets.size() < 2 || offsets.front() != 0 || offsets.back() != num_rows) {
    throw InvalidArgument(
        fmt::format("{}: offsets must go from 0 to the number of rows, {}", path, num_rows));
  }
  const auto drop = std::ranges::adjacent_find(offsets, std::greater<>());
  if (drop != offsets.end()) {
    throw InvalidArgument(
        fmt::format("{}: offsets must not decrease, got {} after {}", path, *(drop + 1), *drop));
  }
  return {offsets.begin(), offsets.end()};
}

std::string StemOf(const InputFile& file) {
  return SafeFileName(file.path == "-" ? "stdin" : fs::path(file.path).stem().string());
}

class Planner {
 public:
  explicit Planner(const PoolJob& job) : job_(job) {}

  void AddFile(const InputFile& file, bool lone) {
    const std::shared_ptr<const ArrayReader> reader = file.Open();
    const std::vector<ArrayInfo> arrays = ChooseArrays(job_, *reader, plan.warnings);
    const std::string stem = StemOf(file);
    if (arrays.size() > 1) {
      plan.collection = true;
      // Like a folder, unless the rest of the job refers to one array.
      RequireUsage(job_.offsets.empty(),
                   file.label() + " holds several arrays: choose one with --array for --offsets");
      if (lone) plan.skip_bad = true;
    }
    for (const ArrayInfo& info : arrays) {
      const bool named = arrays.size() > 1;
      AddArray(file, info, named ? SafeFileName(stem + "." + info.name) : stem,
               named ? fmt::format("{} array '{}'", file.label(), info.name) : file.label());
    }
  }

  BagPlan plan;

 private:
  void AddArray(const InputFile& file, const ArrayInfo& info, const std::string& name,
                const std::string& label) {
    const bool batch = info.shape.size() == 3;
    if (info.shape.size() != 2 && info.shape.size() != 3) {
      throw InvalidArgument(fmt::format(
          "{} must be 2-D (patches x dimensions) or 3-D (a batch of such), got the shape ({})",
          label, fmt::join(info.shape, ", ")));
    }
    std::vector<Index> offsets{0, info.shape[0]};
    if (batch) {
      RequireUsage(job_.offsets.empty(), "--offsets goes with a 2-D array, not with a batch");
      // Asked before counting them: a batch of empty bags can claim any number of them.
      if (info.size() == 0) throw InvalidArgument(label + " is a batch of empty bags");
      offsets.resize(1);
      for (Index bag = 1; bag <= info.shape[0]; ++bag) offsets.push_back(bag * info.shape[1]);
    } else if (!job_.offsets.empty()) {
      offsets = ReadOffsets(job_.offsets, info.shape[0]);
    }
    const bool numbered = batch || !job_.offsets.empty();
    if (numbered) plan.collection = true;

    const auto source = std::make_shared<ArraySource>(job_, file, info);
    const std::size_t count = offsets.size() - 1;
    const std::size_t width = std::to_string(count - 1).size();
    for (std::size_t i = 0; i < count; ++i) {
      plan.bags.push_back({numbered ? fmt::format("{}.{:0{}}", name, i, width) : name,
                           numbered ? fmt::format("{} bag {}", label, i) : label, source,
                           offsets[i], offsets[i + 1]});
    }
  }

  const PoolJob& job_;
};

// Files of one name in different folders, or with different extensions, keep their whole path.
void TellApart(std::vector<Bag>& bags) {
  std::map<std::string, int> counts;
  for (const Bag& bag : bags) ++counts[bag.name];
  for (Bag& bag : bags) {
    const InputFile& file = bag.source->file();
    if (counts[bag.name] > 1) bag.name.replace(0, StemOf(file).size(), OneLine(file.path));
  }
}

// Two bags of one name would overwrite each other in a folder, and nobody could tell them apart in
// a table.
void CheckNames(const std::vector<Bag>& bags) {
  std::set<std::string_view> names;
  for (const Bag& bag : bags) {
    if (!names.insert(bag.name).second) {
      throw InvalidArgument(
          fmt::format("{}: another bag is also called '{}'; write them to different places",
                      bag.label, bag.name));
    }
  }
}

}  // namespace

BagPlan PlanBags(const PoolJob& job) {
  const InputList inputs = ListInputs(job);
  Planner planner(job);
  planner.plan.collection = planner.plan.skip_bad = inputs.several;
  for (const InputFile& file : inputs.files) {
    try {
      planner.AddFile(file, inputs.files.size() == 1);
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      if (!planner.plan.skip_bad) throw;
      planner.plan.failures.push_back({file.label(), error.what()});
    }
  }
  if (job.form == OutputForm::kFolder) {
    // Files of their own: no bag's place depends on another.
    if (planner.plan.collection) planner.plan.skip_bad = true;
  } else {
    TellApart(planner.plan.bags);
  }
  CheckNames(planner.plan.bags);
  planner.plan.files = inputs.files;
  return std::move(planner.plan);
}

}  // namespace alcedo::cli
