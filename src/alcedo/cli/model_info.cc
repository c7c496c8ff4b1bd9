// What `alcedo info` says of a model.
#include <fmt/format.h>

#include "alcedo/cli/file_info.h"
#include "alcedo/cli/vocabulary_text.h"
#include "alcedo/base/escape.h"

namespace alcedo::cli {

FileInfo DescribeModel(const std::string& file, const Model& model) {
  const ModelTraining& training = model.training;
  FileInfo info;
  info.title = "model " + file;
  const auto classes = static_cast<std::int64_t>(model.classes.size());
  info.facts = {
      {"classes",
       fmt::format("{}{}", Thousands(classes), model.multi_label ? ", several for an image" : "")},
      {"trained on",
       fmt::format("{} images of {}, {} bad images", Thousands(training.images),
                   internal::EscapeText(training.dataset), Thousands(training.bad_images))},
      {"C", fmt::format("{}", training.c)}};
  if (training.folds > 0) {
    info.facts.emplace_back(training.folds == 1 ? "validation" : "cross-validation",
                            fmt::format("{:.1f}% ({})", training.validation, training.metric));
  }
  info.facts.emplace_back("probabilities", model.platt ? "yes" : "no");
  info.facts.emplace_back("seed", fmt::format("{}", training.seed));
  info.facts.emplace_back("made by", "alcedo " + training.version);
  Json names = Json::array(), channels = Json::array();
  for (const std::string& name : model.classes) names.push_back(internal::EscapeText(name));
  for (std::size_t i = 0; i < model.channels.size(); ++i) {
    const ModelChannel& channel = model.channels[i];
    info.facts.emplace_back(
        fmt::format("channel {}", i),
        fmt::format("{}; {}", DescriptorText(channel.vocabulary), WordsText(channel.vocabulary)));
    channels.push_back({{"descriptor", Name(channel.vocabulary.config.describe.descriptor)},
                        {"dimension", channel.classifier.weights.cols()},
                        {"config", ToJson(channel.config)}});
    info.appendix +=
        fmt::format("{}# channel {}\n{}", i == 0 ? "" : "\n", i, ToToml(channel.config));
  }
  info.json = {{"kind", "model"},
               {"classes", std::move(names)},
               {"multi_label", model.multi_label},
               {"channels", std::move(channels)},
               {"fusion_weights", model.fusion_weights},
               {"probabilities", model.platt.has_value()},
               {"training",
                {{"dataset", internal::EscapeText(training.dataset)},
                 {"images", training.images},
                 {"bad_images", training.bad_images},
                 {"test_images", training.test_images},
                 {"c", training.c},
                 {"metric", training.metric},
                 {"folds", training.folds},
                 {"validation", training.validation},
                 {"seed", training.seed},
                 {"version", training.version}}}};
  return info;
}

}  // namespace alcedo::cli
