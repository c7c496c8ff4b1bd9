// The memory of a run does not grow with the number of images.
#include "encode_fixture.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ALCEDO_SANITIZED 1
#else
#define ALCEDO_SANITIZED 0
#endif

namespace end_to_end {
namespace {

constexpr double kMostGrowth = 1.10;

class Memory : public Encode {
 protected:
  Memory() {
    MakePictures("few", 200, 32);
    MakePictures("many", 2000, 32);
  }

  static double Peak(const Args& args) {
    const Result result = RunProgram(args + Args{"--quiet", "--threads", "2"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return static_cast<double>(result.peak_kib);
  }

  static void ExpectTheSame(const std::function<Args(const std::string& folder)>& args) {
    if (ALCEDO_SANITIZED) GTEST_SKIP() << "sanitizers keep what is freed";
    const double few = Peak(args("few")), many = Peak(args("many"));
    EXPECT_LE(many, kMostGrowth * few) << few << " KiB for 200 images, " << many << " for 2,000";
  }
};

TEST_F(Memory, OfLearning) {
  ExpectTheSame([](const std::string& folder) {
    return Args{"learn", folder,      "-o",   folder + ".safetensors", "--pca-dimensions",
                "8",     "--samples", "1500", "--gaussians",           "4"};
  });
}

TEST_F(Memory, OfEncodingToAFile) {
  LearnVocabulary();
  ExpectTheSame([](const std::string& folder) {
    return Args{"encode", folder, "--vocabulary", "v.safetensors", "-o", folder + ".npy"};
  });
}

TEST_F(Memory, OfEncodingToAStore) {
  LearnVocabulary();
  ExpectTheSame([](const std::string& folder) {
    return Args{"encode", folder, "--vocabulary", "v.safetensors", "-o", folder + ".store/"};
  });
}

}  // namespace
}  // namespace end_to_end
