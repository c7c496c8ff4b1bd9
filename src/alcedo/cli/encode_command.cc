#include "alcedo/cli/encode_command.h"

#include "alcedo/base/types.h"
#include "alcedo/cli/check_options.h"
#include "alcedo/cli/encode_arguments.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/image_inputs.h"
#include "alcedo/cli/run_encode.h"
#include "alcedo/cli/stdio.h"

namespace alcedo::cli {
namespace {

// Throws InvalidArgument for options that no image can be encoded with: every stage checks its own,
// and is given next to nothing to do.
void CheckOptions(const Representer& representer) {
  CheckDescribeOptions(representer.config.describe);
  Descriptors descriptors;
  descriptors.values = Rows::Identity(2, representer.descriptor_dimension);
  descriptors.patches = {{0.5f, 0.5f, 1.0f}, {0.5f, 0.5f, 1.0f}};
  descriptors.width = descriptors.height = 1;
  Represent(representer, descriptors);
}

Representer MakeReady(const Vocabulary& vocabulary, const EncodeConfig& config,
                      const ConfigOrigin& origin) {
  Representer representer;
  CheckConfig(origin, ToJson(config), [&] {
    representer = MakeRepresenter(vocabulary, config);
    CheckOptions(representer);
  });
  return representer;
}

// Where none is named, the one that comes along for the descriptor.
std::string VocabularyName(const EncodeArguments& arguments, const Json& file,
                           const EncodeConfig& from_file) {
  const EncodeConfig& flags = arguments.job().config;
  if (arguments.given("--vocabulary")) return flags.vocabulary;
  if (file.contains("vocabulary")) return from_file.vocabulary;
  const DescriptorKind descriptor =
      (arguments.given("--descriptor") ? flags : from_file).describe.descriptor;
  return descriptor == DescriptorKind::kColor ? "color" : from_file.vocabulary;
}

}  // namespace

int EncodeCommand(const std::vector<std::string>& args) {
  // Once to find --config and --vocabulary, and once more with theirs in the place of the defaults.
  EncodeArguments first;
  if (!first.Parse(args)) return kOk;
  const std::string& file = first.job().run.config;
  const Json from_file = file.empty() ? Json::object() : ReadConfigFile(file);
  EncodeConfig initial;
  UpdateFromJson(initial, from_file, file);
  initial.vocabulary = VocabularyName(first, from_file, initial);
  const NamedVocabulary vocabulary = OpenVocabulary(initial.vocabulary);
  initial.describe = vocabulary.vocabulary.config.describe;
  UpdateFromJson(initial, from_file, file);
  EncodeArguments arguments(initial);
  arguments.Parse(args);

  const EncodeJob& job = arguments.job();
  arguments.CheckFlags(job.config);
  EncodeConfig config = job.config;
  // Lambdas of a file are for when the pooling is gmp.
  if (config.pooling != PoolingKind::kGmp) config.lambdas.clear();
  const Representer representer =
      MakeReady(vocabulary.vocabulary, config, {arguments.app(), file, from_file});
  arguments.CheckFlags(representer.config);
  if (!job.run.dump_config.empty()) {
    WriteStdout(ConfigText(job.run, ToToml(representer.config), ToJson(representer.config)));
    return kOk;
  }
  ImageList images =
      ListImages({job.run.inputs, job.run.list, {job.run.output}}, config.describe.descriptor);
  return RunEncode(job, representer, vocabulary.checksum, std::move(images));
}

}  // namespace alcedo::cli
