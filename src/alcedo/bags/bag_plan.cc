#include "alcedo/bags/bag_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "alcedo/files/file_batch.h"

namespace alcedo {
namespace {
namespace fs = std::filesystem;

constexpr Index kMaxEmptyBags = 1 << 16;  // of one batch

bool IsArrayFile(const fs::directory_entry& entry) {
  std::error_code unreadable;
  const fs::file_type type = entry.status(unreadable).type();
  // A link that leads nowhere was meant to be a file: reading it will say what is wrong. So it will
  // of one that nothing can be said about.
  const bool unknown = type == fs::file_type::none ||
                       (type == fs::file_type::not_found && entry.is_symlink(unreadable));
  return (type == fs::file_type::regular || unknown) &&
         !entry.path().filename().string().starts_with(".") && HasArrayExtension(entry.path());
}

std::vector<ArrayFile> ListFolder(const std::string& folder) {
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error) throw IoError(folder, "cannot be listed: " + error.message());
  std::vector<ArrayFile> files;
  for (const fs::directory_entry& entry : entries) {
    if (IsArrayFile(entry)) files.push_back({{entry.path(), entry.path()}, nullptr});
  }
  if (files.empty()) throw FormatError(folder, "has no .npy, .npz or .safetensors file");
  std::ranges::sort(files, {}, [](const ArrayFile& file) { return file.input.path; });
  return files;
}

// A single companion goes with a single input.
void CheckSingle(const std::string& option, const std::string& path) {
  if (path.empty() || fs::is_directory(path)) return;
  throw InvalidArgument(
      option, "goes with one input file; give a folder of files named like the inputs", "");
}

// `several`: a folder, or more than one input. A bad file then does not stop the others.
std::vector<ArrayFile> ListFiles(const BagInputs& inputs, bool& several) {
  several = inputs.paths.size() > 1;
  std::vector<ArrayFile> files;
  for (const std::string& path : inputs.paths) {
    if (path == "-") {
      const std::string name = "standard input";
      files.push_back({{path, name},
                       std::make_shared<const ArrayReader>(
                           ArrayReader::FromBytes(inputs.standard_input.value_or(""), name))});
    } else if (fs::is_directory(path)) {
      several = true;
      std::ranges::move(ListFolder(path), std::back_inserter(files));
    } else {
      files.push_back({{path, path}, nullptr});
    }
  }
  if (!several) return files;
  if (!inputs.offsets.empty()) throw InvalidArgument("offsets", "goes with one input file", "");
  CheckSingle("blocks", inputs.blocks);
  CheckSingle("input_weights", inputs.input_weights);
  return files;
}

// The files that go with the inputs, and their folder if it is one.
void AddCompanions(const std::string& option, const std::string& companion,
                   const std::vector<ArrayFile>& files, std::vector<OptionPath>& paths) {
  if (companion.empty()) return;
  paths.push_back({option, companion});
  for (const ArrayFile& file : files) {
    if (const auto found = FindCompanion(companion, file)) paths.push_back({option, *found});
  }
}

bool IsFloat(ElementType type) {
  return type == ElementType::kFloat16 || type == ElementType::kBfloat16 ||
         type == ElementType::kFloat32 || type == ElementType::kFloat64;
}

// If the descriptors of a file have positions (descriptors/describe.h), these are not bags.
bool IsBesideDescriptors(const ArrayInfo& info, const std::vector<ArrayInfo>& arrays) {
  return (info.name == "positions" || info.name == "image_size") &&
         std::ranges::count(arrays, "descriptors", &ArrayInfo::name) > 0;
}

// The arrays of a file that are bags, or batches of bags.
std::vector<ArrayInfo> ChooseArrays(const BagInputs& job, const ArrayReader& reader,
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
    throw FormatError(reader.file_name(), "has no 2-D or 3-D floating-point array to pool");
  }
  return chosen;
}

std::vector<Index> ReadOffsets(const std::string& path, Index num_rows) {
  const ArrayReader reader = ArrayReader::Open(path);
  const std::vector<std::int64_t> offsets = reader.ReadIntegers(FindOrOnly(reader, "offsets"));
  if (offsets.size() < 2 || offsets.front() != 0 || offsets.back() != num_rows) {
    throw FormatError(path,
                      fmt::format("offsets must go from 0 to the number of rows, {}", num_rows));
  }
  const auto drop = std::ranges::adjacent_find(offsets, std::greater<>());
  if (drop != offsets.end()) {
    throw FormatError(
        path, fmt::format("offsets must not decrease, got {} after {}", *(drop + 1), *drop));
  }
  return {offsets.begin(), offsets.end()};
}

std::string StemOf(const ArrayFile& file) {
  return SafeFileName(file.input.path == "-" ? "stdin" : fs::path(file.input.path).stem().string());
}

class Planner {
 public:
  explicit Planner(const BagInputs& job) : job_(job) {}

  void AddFile(const ArrayFile& file, bool lone) {
    const std::shared_ptr<const ArrayReader> reader = file.Open(*open_);
    const std::vector<ArrayInfo> arrays = ChooseArrays(job_, *reader, plan.warnings);
    const std::string stem = StemOf(file);
    if (arrays.size() > 1) {
      plan.collection = true;
      // Like a folder, unless the rest of the job refers to one array.
      if (!job_.offsets.empty()) {
        throw InvalidArgument("offsets", "goes with one array; " + file.input.name + " has several",
                              "", Hint{"choose one with", "array", ""});
      }
      if (lone) plan.skip_bad = true;
    }
    for (const ArrayInfo& info : arrays) {
      const bool named = arrays.size() > 1;
      AddArray(file, info, named ? SafeFileName(stem + "." + info.name) : stem,
               named ? fmt::format("{} array '{}'", file.input.name, info.name) : file.input.name);
    }
  }

  BagPlan plan;

 private:
  void AddArray(const ArrayFile& file, const ArrayInfo& info, const std::string& name,
                const std::string& label) {
    const bool batch = info.shape.size() == 3;
    if (info.shape.size() != 2 && info.shape.size() != 3) {
      throw InvalidArgument(fmt::format(
          "{} must be 2-D (patches x dimensions) or 3-D (a batch of such), got the shape ({})",
          label, fmt::join(info.shape, ", ")));
    }
    std::vector<Index> offsets{0, info.shape[0]};
    if (batch) {
      if (!job_.offsets.empty()) {
        throw InvalidArgument("offsets", "goes with a 2-D array, not with a batch", "");
      }
      if (info.shape[0] == 0) throw InvalidArgument(label + " is a batch without bags");
      // Asked before counting them: a batch of empty bags can claim any number of them.
      if (info.size() == 0 && info.shape[0] > kMaxEmptyBags) {
        throw InvalidArgument(fmt::format("{} is a batch of {} empty bags; at most {} are pooled",
                                          label, info.shape[0], kMaxEmptyBags));
      }
      offsets.resize(1);
      for (Index bag = 1; bag <= info.shape[0]; ++bag) offsets.push_back(bag * info.shape[1]);
    } else if (!job_.offsets.empty()) {
      offsets = ReadOffsets(job_.offsets, info.shape[0]);
    }
    const bool numbered = batch || !job_.offsets.empty();
    if (numbered) plan.collection = true;

    const auto source = std::make_shared<ArraySource>(job_, open_, file, info);
    const std::size_t count = offsets.size() - 1;
    const std::size_t width = std::to_string(count - 1).size();
    for (std::size_t i = 0; i < count; ++i) {
      plan.bags.push_back({numbered ? fmt::format("{}.{:0{}}", name, i, width) : name,
                           numbered ? fmt::format("{} bag {}", label, i) : label, source,
                           offsets[i], offsets[i + 1]});
    }
  }

  const BagInputs& job_;
  const std::shared_ptr<OpenArrays> open_ = std::make_shared<OpenArrays>();
};

// Files of one name in different folders, or with different extensions, keep their whole path.
void TellApart(std::vector<Bag>& bags) {
  std::map<std::string, int> counts;
  for (const Bag& bag : bags) ++counts[bag.name];
  for (Bag& bag : bags) {
    const ArrayFile& file = bag.source->file();
    if (counts[bag.name] > 1) bag.name.replace(0, StemOf(file).size(), OneLine(file.input.path));
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

BagPlan PlanBags(const BagJob& job) {
  bool several = false;
  std::vector<ArrayFile> files = ListFiles(job.inputs, several);
  Planner planner(job.inputs);
  planner.plan.collection = planner.plan.skip_bad = several;
  for (const ArrayFile& file : files) {
    try {
      planner.AddFile(file, files.size() == 1);
    } catch (const Error& error) {
      const auto* argument = dynamic_cast<const InvalidArgument*>(&error);
      const bool options_are_wrong = argument != nullptr && !argument->option().empty();
      if (options_are_wrong || !planner.plan.skip_bad) throw;
      planner.plan.failures.push_back({file.input.name, error.what()});
    }
  }
  if (job.destination.form == BagForm::kFolder) {
    // Files of their own: no bag's place depends on another.
    if (planner.plan.collection) planner.plan.skip_bad = true;
  } else {
    TellApart(planner.plan.bags);
  }
  CheckNames(planner.plan.bags);
  planner.plan.files = std::move(files);
  return std::move(planner.plan);
}

std::vector<OptionPath> PathsRead(const BagJob& job, const BagPlan& plan) {
  std::vector<OptionPath> paths;
  std::set<fs::path> folders;
  for (const ArrayFile& file : plan.files) {
    if (file.in_memory) {
      paths.push_back({"inputs", "/dev/stdin"});
      continue;
    }
    paths.push_back({"inputs", file.input.path});
    const fs::path folder = fs::path(file.input.path).parent_path();
    folders.insert(folder.empty() ? "." : folder);
  }
  for (const fs::path& folder : folders) paths.push_back({"the folder of inputs", folder});
  if (!job.inputs.offsets.empty()) paths.push_back({"offsets", job.inputs.offsets});
  AddCompanions("blocks", job.inputs.blocks, plan.files, paths);
  AddCompanions("input_weights", job.inputs.input_weights, plan.files, paths);
  return paths;
}

}  // namespace alcedo
