// What is packed into results.json, against naive readers of it.
#include "alcedo/reproduce/predictions.h"

#include <gtest/gtest.h>

#include <string_view>

#include "alcedo/base/error.h"
#include "alcedo/base/random.h"

namespace alcedo::reproduce {
namespace {

std::vector<std::uint8_t> Bytes(std::string_view text) { return {text.begin(), text.end()}; }

TEST(Base64, HasTheVectorsOfItsStandard) {
  const std::pair<std::string_view, std::string_view> vectors[] = {{"", ""},
                                                                   {"f", "Zg=="},
                                                                   {"fo", "Zm8="},
                                                                   {"foo", "Zm9v"},
                                                                   {"foob", "Zm9vYg=="},
                                                                   {"fooba", "Zm9vYmE="},
                                                                   {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : vectors) EXPECT_EQ(Base64(Bytes(bytes)), text);
  EXPECT_EQ(Base64(std::vector<std::uint8_t>{0xfb, 0xff, 0xbf}), "+/+/");
  for (const auto& [bytes, text] : vectors) EXPECT_EQ(FromBase64(text), Bytes(bytes));
  EXPECT_THROW(FromBase64("Zg="), FormatError);
  EXPECT_THROW(FromBase64("Zg!="), FormatError);
}

TEST(PackedClasses, TakeOneByteOrTwo) {
  EXPECT_EQ(PackedClasses(std::vector<int>{1, 0, 255}, 256),
            Base64(std::vector<std::uint8_t>{1, 0, 255}));
  EXPECT_EQ(PackedClasses(std::vector<int>{1, 258}, 300),
            Base64(std::vector<std::uint8_t>{1, 0, 2, 1}));
  for (const int classes : {7, 256, 257, 1000}) {
    const std::vector<int> some{0, classes - 1, 3, 3};
    EXPECT_EQ(UnpackedClasses(PackedClasses(some, classes), classes), some);
  }
  EXPECT_THROW(UnpackedClasses(PackedClasses(std::vector<int>{5}, 6), 5), FormatError);
  EXPECT_THROW(UnpackedClasses(Base64(std::vector<std::uint8_t>{1}), 300), FormatError);
}

TEST(PackedRanks, CountTheImagesInFront) {
  Rng rng(2);
  Matrix scores(40, 3);
  for (double& score : scores.reshaped()) score = std::floor(12 * rng.Uniform());  // with equals
  std::vector<std::uint8_t> expected;
  for (Index k = 0; k < 3; ++k) {
    for (Index i = 0; i < 40; ++i) {
      int in_front = 0;
      for (Index j = 0; j < 40; ++j) {
        in_front += scores(j, k) > scores(i, k) || (scores(j, k) == scores(i, k) && j < i);
      }
      expected.push_back(static_cast<std::uint8_t>(in_front));
      expected.push_back(0);
    }
  }
  EXPECT_EQ(PackedRanks(scores), Base64(expected));
}

TEST(PackedTruth, HasLabelsOrTargets) {
  Truth truth;
  truth.classes = 2;
  truth.labels = {1, 0};
  EXPECT_EQ(PackedTruth(truth), Base64(std::vector<std::uint8_t>{1, 0}));
  truth.multi_label = true;
  truth.targets.resize(2, 2);
  truth.targets << 1, -1, 0, 1;
  EXPECT_EQ(PackedTruth(truth), Base64(std::vector<std::uint8_t>{1, 255, 0, 1}));
}

}  // namespace
}  // namespace alcedo::reproduce
