#include "alcedo/cli/learn_command.h"

#include "alcedo/cli/check_options.h"
#include "alcedo/cli/errors.h"
#include "alcedo/cli/image_inputs.h"
#include "alcedo/cli/learn_arguments.h"
#include "alcedo/cli/run_learn.h"
#include "alcedo/cli/stdio.h"
#include "alcedo/learn/learn_check.h"

namespace alcedo::cli {

int LearnCommand(const std::vector<std::string>& args) {
  // Once to find --config, and once more with its values in the place of the defaults.
  LearnArguments first;
  if (!first.Parse(args)) return kOk;
  LearnConfig initial;
  bool descriptor_given = first.descriptor_given();
  const std::string& file = first.job().run.config;
  const Json from_file = file.empty() ? Json::object() : ReadConfigFile(file);
  UpdateFromJson(initial, from_file, file);
  descriptor_given = descriptor_given || from_file.contains("descriptor");
  LearnArguments arguments(initial);
  arguments.Parse(args);

  LearnJob job = arguments.job();
  ImageList images;
  if (!job.run.inputs.empty() || !job.run.list.empty()) {
    const std::optional<DescriptorKind> descriptor =
        descriptor_given ? std::optional(job.config.describe.descriptor) : std::nullopt;
    images = ListImages({job.run.inputs, job.run.list, {job.run.output, job.work}}, descriptor);
    if (images.arrays) job.config.describe.descriptor = DescriptorKind::kExternal;
  }
  arguments.CheckFlags(job.config);
  if (!job.run.dump_config.empty()) {
    WriteStdout(ConfigText(job.run, ToToml(job.config), ToJson(job.config)));
    return kOk;
  }
  CheckConfig({arguments.app(), file, from_file}, ToJson(job.config), [&] {
    CheckDescribeOptions(job.config.describe);
    internal::CheckLearnArguments({LearnInput{}}, job.config, LearnRun{});
  });
  return RunLearn(job, images);
}

}  // namespace alcedo::cli
