// `alcedo evaluate` of models that `alcedo train` made.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "train_fixture.h"

namespace end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

using Evaluate = Train;

TEST_F(Evaluate, EvaluateAgreesWithClassify) {
  Succeed(Run("model.safetensors", {"-q", "--all", "--probabilities", "--c", "0.001"}));
  Paint("others", 9);
  WriteFile("others/green/bad.ppm", "P6 no picture");
  fs::rename("others/blue", "others/violet");
  const Result judged = RunProgram({"evaluate", "model.safetensors", "others", "--split", "all",
                                    "--json", "out.json", "--csv", "out.csv"});
  EXPECT_EQ(judged.exit_code, 3);
  EXPECT_THAT(judged.err, AllOf(HasSubstr("1 of 3 classes is not in the model"),
                                HasSubstr("not in the data: blue"), HasSubstr("1 of 19 images")));

  std::map<std::string, std::map<std::string, int>> confusion;
  std::istringstream lines(
      RunProgram({"classify", "model.safetensors", "others", "--format", "jsonl", "--top", "1"})
          .out);
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json json = nlohmann::json::parse(line);
    const std::string name = json["image"];
    const std::string truth = name.substr(0, name.find('/'));
    if (truth == "violet" || json.contains("error")) continue;
    ++confusion[truth][json["predictions"][0]["class"].get<std::string>()];
  }
  double right = 0, images = 0, shares = 0;
  for (auto& [truth, row] : confusion) {
    double sum = 0;
    for (const auto& entry : row) sum += entry.second;
    right += row[truth];
    images += sum;
    shares += row[truth] / sum;
  }
  const nlohmann::json json = nlohmann::json::parse(ReadFile("out.json"));
  EXPECT_EQ(images, 18);
  EXPECT_EQ(json["images"], 18);
  const nlohmann::json& measures = json["measures"];
  EXPECT_NEAR(measures["top1-images"]["value"], right / images, 1e-12);
  EXPECT_NEAR(measures["top1-classes"]["value"], shares / 2, 1e-12);
  EXPECT_LE(measures["top1-images"]["low"], right / images);
  EXPECT_GE(measures["top1-images"]["high"], right / images);
  EXPECT_EQ(json["failures"][0]["name"], "green/bad.ppm");
  const std::vector<std::string> names = json["confusion"]["classes"];
  std::string csv = "class," + names[0] + "," + names[1] + "," + names[2] + "\r\n";
  for (std::size_t r = 0; r < 3; ++r) {
    csv += names[r];
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_EQ(json["confusion"]["counts"][r][c], confusion[names[r]][names[c]]);
      csv += ',';
      csv += std::to_string(confusion[names[r]][names[c]]);
    }
    csv += "\r\n";
  }
  EXPECT_EQ(ReadFile("out.csv"), csv);
}

TEST_F(Evaluate, TellsClassesApart) {
  // One Gaussian: of several, each takes the pictures of a class, and vectors say how a picture
  // differs from those of its kind.
  Succeed(
      {"train", "data", "-o", "model.safetensors", "-q", "--gaussians", "1", "--sift-patch", "16"});
  Succeed({"evaluate", "model.safetensors", "data", "--json", "out.json"});
  const nlohmann::json json = nlohmann::json::parse(ReadFile("out.json"));
  EXPECT_EQ(json["images"], 9);
  EXPECT_GE(json["measures"]["top1-images"]["value"], 0.8);
}

// A set like VOC 2007, with several classes per image; classes are those of the pictures, and "dog"
// for every other one.
void PaintVoc() {
  const std::string all =
      "aeroplane bicycle bird boat bottle bus car cat chair cow diningtable dog horse motorbike "
      "person pottedplant sheep sofa train tvmonitor";
  int number = 0;
  for (const std::string split : {"train", "val", "test"}) {
    std::string names;
    std::map<std::string, std::string> lists;
    for (int i = 0; i < 6; ++i, ++number) {
      const std::string name = std::to_string(100000 + number);
      WriteFile("voc/JPEGImages/" + name + ".jpg", Stripes(i % 3, number));
      WriteFile("voc/Annotations/" + name + ".xml", "<annotation></annotation>");
      names += name + "\n";
      std::istringstream classes(all);
      int c = 0;
      for (std::string word; classes >> word; ++c) {
        const bool is = c == i % 3 || (word == "dog" && i % 2 == 0);
        const bool difficult = c == 1 && i == 0;
        lists[word] += name + (is ? "  1\n" : difficult ? "  0\n" : " -1\n");
      }
    }
    WriteFile("voc/ImageSets/Main/" + split + ".txt", names);
    for (const auto& [word, list] : lists) {
      WriteFile("voc/ImageSets/Main/" + word + "_" + split + ".txt", list);
    }
  }
}

TEST_F(Evaluate, SeveralClassesPerImage) {
  PaintVoc();
  Succeed(
      {"train", "voc", "-o", "model.safetensors", "-q", "--gaussians", "1", "--sift-patch", "16"});
  Succeed({"evaluate", "model.safetensors", "voc", "--json", "out.json"});
  const nlohmann::json json = nlohmann::json::parse(ReadFile("out.json"));
  ASSERT_EQ(json["classes"].size(), 4u);
  // The area under the interpolated precision, from what classify says.
  double mean = 0;
  for (const nlohmann::json& entry : json["classes"]) {
    const std::string name = entry["name"];
    std::map<std::string, int> targets;
    std::istringstream list(ReadFile("voc/ImageSets/Main/" + name + "_test.txt"));
    int target = 0;
    for (std::string image; list >> image >> target;) targets["voc/JPEGImages/" + image] = target;
    std::vector<std::pair<double, int>> ranked;
    for (const auto& [image, t] : targets) {
      if (t == 0) continue;
      const auto said =
          nlohmann::json::parse(Succeed({"classify", "model.safetensors", image + ".jpg",
                                         "--format", "jsonl", "--top", "20"})
                                    .out);
      for (const nlohmann::json& p : said["predictions"]) {
        if (p["class"] == name) ranked.emplace_back(-p["score"].get<double>(), t);
      }
    }
    std::sort(ranked.begin(), ranked.end());
    std::vector<double> precisions;  // at every positive
    double positives = 0;
    for (std::size_t i = 0; i < ranked.size(); ++i) {
      if (ranked[i].second > 0) precisions.push_back(++positives / static_cast<double>(i + 1));
    }
    double area = 0;
    for (auto p = precisions.begin(); p != precisions.end(); ++p) {
      area += *std::max_element(p, precisions.end()) / positives;
    }
    EXPECT_EQ(entry["images"], positives);
    EXPECT_NEAR(entry["ap_area"], area, 1e-12) << name;
    mean += area / 4;
  }
  EXPECT_NEAR(json["measures"]["map-area"]["value"], mean, 1e-12);
  EXPECT_THAT(Fail({"evaluate", "model.safetensors", "voc", "--csv", "x"}, 1),
              HasSubstr("confusion matrix"));
  EXPECT_THAT(Fail({"evaluate", "model.safetensors", "data"}, 1),
              HasSubstr("several classes per image"));
}

TEST_F(Evaluate, SaysWhenTheModelKnowsTheAnswers) {
  const auto trained_on = [&](const std::vector<std::string>& more) {
    std::vector<std::string> args{"evaluate", "model.safetensors", "data", "--json", "r.json",
                                  "-q"};
    args.insert(args.end(), more.begin(), more.end());
    const Result result = RunProgram(args);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const nlohmann::json json = nlohmann::json::parse(ReadFile("r.json"));
    const auto count = json["trained_on"].get<std::int64_t>();
    // Said even where notes are not wanted: it changes what the numbers mean.
    const std::string sentence = count == json["images"] ? "all of these" : "of these images";
    EXPECT_EQ(count > 0, result.out.find(sentence) != std::string::npos) << result.out;
    return count;
  };
  Succeed(Quick("model.safetensors", {"--all"}));
  const std::int64_t tested = trained_on({});
  EXPECT_GT(tested, 0);  // all of them
  Succeed(Quick("model.safetensors", {}));
  EXPECT_EQ(trained_on({}), 0);
  // By its contents, not by its name: another split of the same folder has some of them.
  const std::int64_t mixed = trained_on({"--folder-seed", "1"});
  EXPECT_GT(mixed, 0);
  EXPECT_LT(mixed, tested);
  EXPECT_EQ(trained_on({"--split", "train"}), trained_on({"--split", "all"}));
}

TEST_F(Evaluate, AdvisesByTheLayoutOfTheData) {
  const auto advice = [](const Args& more) {
    return Succeed(Args{"evaluate", "model.safetensors", "data", "-q"} + more).out;
  };
  Succeed(Quick("model.safetensors", {"--all"}));
  EXPECT_THAT(advice({}), HasSubstr("A folder that is split as it was for training leaves them"));
  for (const char* name : kNames) {
    for (int i = 0; i < 6; ++i) {
      const std::string file = std::string(name) + "/" + std::to_string(i) + ".ppm";
      WriteFile((i < 4 ? "parts/train/" : "parts/test/") + file, ReadFile("data/" + file));
    }
  }
  fs::remove_all("data");
  fs::rename("parts", "data");
  Succeed(Quick("model.safetensors"));
  EXPECT_THAT(advice({}), testing::Not(HasSubstr("trained on")));
  EXPECT_THAT(advice({"--split", "train"}),
              HasSubstr("The test split of this dataset is the one to judge by."));
  fs::copy("data/train/blue/1.ppm", "data/test/blue/9.ppm");
  EXPECT_THAT(advice({}), testing::AllOf(HasSubstr("1 of these images is among those"),
                                         HasSubstr("take them out of one of the two."),
                                         testing::Not(HasSubstr("split as it was"))));
}

TEST_F(Evaluate, Mistakes) {
  Succeed(Quick("model.safetensors"));
  EXPECT_THAT(Fail({"evaluate"}, 2), HasSubstr("no MODEL"));
  EXPECT_THAT(Fail({"evaluate", "model.safetensors"}, 2), HasSubstr("no DATA"));
  EXPECT_THAT(Fail({"evaluate", "model.safetensors", "data", "--split", "tests"}, 2),
              HasSubstr("--split must be"));
  EXPECT_THAT(Fail({"evaluate", "model.safetensors", "data", "--split", "validation"}, 1),
              HasSubstr("no validation images"));
  EXPECT_THAT(Fail({"evaluate", "model.safetensors", "data", "--json", "model.safetensors"}, 1),
              HasSubstr("model.safetensors"));
  EXPECT_THAT(Fail({"evaluate", "model.safetensors", "data", "--json", "a", "--csv", "a"}, 2),
              HasSubstr("the same"));
  for (const char* name : kNames) fs::rename(fs::path("data") / name, std::string("data/x") + name);
  EXPECT_THAT(Fail({"evaluate", "model.safetensors", "data"}, 1), HasSubstr("none of the classes"));
  Succeed(SmallLearn("data/xgreen", "vocabulary.safetensors"));
  EXPECT_THAT(Fail({"evaluate", "vocabulary.safetensors", "data"}, 1),
              HasSubstr("is a vocabulary, not a model"));
}

}  // namespace
}  // namespace end_to_end
