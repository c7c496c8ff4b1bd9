#include "alcedo/bags/pool_bags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "alcedo/io/array_reader.h"
#include "alcedo/io/array_writer.h"

namespace alcedo {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;

class PoolBagsTest : public testing::Test {
 protected:
  PoolBagsTest()
      : folder_(fs::temp_directory_path() / ("alcedo_bags_" + std::to_string(getpid()))) {
    fs::create_directories(folder_ / "in");
  }
  ~PoolBagsTest() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  // Whole numbers that no two rows share.
  void PutBag(const std::string& name, Index rows, Index columns) const {
    std::ofstream(Path(name)) << Npy(rows, columns);
  }
  static std::string Npy(Index rows, Index columns) {
    std::vector<float> values;
    for (Index i = 0; i < rows * columns; ++i) values.push_back(static_cast<float>(i + 1));
    return NpyBytes(
        {"",
         {rows, columns},
         ElementType::kFloat32,
         {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)}});
  }
  // The sum of the columns of such a bag.
  static std::vector<double> Sum(Index rows, Index columns) {
    std::vector<double> sum(static_cast<std::size_t>(columns));
    for (Index i = 0; i < rows * columns; ++i)
      sum[static_cast<std::size_t>(i % columns)] += i + 1.0;
    return sum;
  }
  BagJob SumJob() const {
    BagJob job;
    job.inputs.paths = {Path("in")};
    job.pooling.pooling = SumOptions{};
    job.destination.output = Path("out.npy");
    return job;
  }
  static std::vector<double> Values(const std::string& file) {
    return ArrayReader::Open(file).ReadDoubles(0);
  }

  fs::path folder_;
};

TEST_F(PoolBagsTest, ATableHasARowPerBagAndABadBagIsAFailure) {
  PutBag("in/a.npy", 3, 2);
  PutBag("in/b.npy", 5, 2);
  PutBag("in/odd.npy", 2, 4);
  std::ofstream(Path("in/empty.npy")) << "";
  const BagResults results = PoolBags(SumJob(), {});
  EXPECT_EQ(results.planned, 4);
  ASSERT_EQ(results.bags.size(), 2u);
  EXPECT_EQ(results.bags[1].num_rows, 5);
  ASSERT_EQ(results.failures.size(), 2u);
  EXPECT_THAT(results.failures[1].reason, HasSubstr("has 4 dimensions, unlike 'a' with 2"));
  std::vector<double> expected = Sum(3, 2);
  for (const double v : Sum(5, 2)) expected.push_back(v);
  EXPECT_EQ(Values(Path("out.npy")), expected);
}

TEST_F(PoolBagsTest, AFolderIsResumedAndProgressSaysSo) {
  PutBag("in/a.npy", 3, 2);
  PutBag("in/b.npy", 5, 2);
  BagJob job = SumJob();
  job.destination.output = Path("out/");
  job.destination.form = BagForm::kFolder;
  PoolBags(job, {});
  fs::remove(Path("out/b.npy"));
  job.destination.resume = true;
  Progress last;
  BagRun run;
  run.progress = [&](const Progress& progress) { last = progress; };
  const BagResults results = PoolBags(job, run);
  ASSERT_EQ(results.bags.size(), 1u);
  EXPECT_EQ(results.bags[0].name, "b");
  EXPECT_EQ(last.resumed, 1);
  EXPECT_EQ(last.done, 2);
  EXPECT_EQ(Values(Path("out/b.npy")), Sum(5, 2));
  job.pooling.l2 = true;
  EXPECT_THROW(PoolBags(job, {}), InvalidArgument);  // other options
}

TEST_F(PoolBagsTest, BytesInAndBytesOut) {
  BagJob job = SumJob();
  job.inputs.paths = {"-"};
  job.inputs.standard_input = Npy(4, 3);
  job.destination.form = BagForm::kBytes;
  const BagResults results = PoolBags(job, {});
  EXPECT_EQ(ArrayReader::FromBytes(results.bytes, "out").ReadDoubles(0), Sum(4, 3));
}

// Rank 1 as doubles; float would add noise of 1e-8, which a small lambda magnifies.
TEST_F(PoolBagsTest, DoublesAreNotRounded) {
  const Index rows = 300, columns = 3;
  const double direction[] = {0.3, -1.7, 0.9};
  std::vector<double> values, factors;
  for (Index n = 0; n < rows; ++n) {
    factors.push_back(std::sin(1.0 + static_cast<double>(n)));
    for (const double x : direction) values.push_back(factors.back() * x);
  }
  std::ofstream(Path("in/a.npy")) << NpyBytes(
      {"",
       {rows, columns},
       ElementType::kFloat64,
       {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)}});
  BagJob job = SumJob();
  job.pooling.pooling = GmpOptions{.relative = true};
  job.pooling.lambdas = {1e-5};
  job.destination.type = ValueType::kFloat64;
  PoolBags(job, {});
  // phi = d sum(f) / (|d|^2 sum(f^2) + lambda), along the one direction that there is.
  double sum = 0, squares = 0, length = 0;
  for (const double f : factors) {
    sum += f;
    squares += f * f;
  }
  for (const double x : direction) length += x * x;
  const double lambda = 1e-5 * length * squares / static_cast<double>(rows);
  const std::vector<double> phi = Values(Path("out.npy"));
  for (Index j = 0; j < columns; ++j) {
    const double want = direction[j] * sum / (length * squares + lambda);
    EXPECT_NEAR(phi[static_cast<std::size_t>(j)], want, 1e-6 * std::abs(want));
  }
}

TEST_F(PoolBagsTest, SmallDoublesAreNotTakenForZeros) {
  const std::vector<double> values(20, 1e-60);
  std::ofstream(Path("in/a.npy")) << NpyBytes(
      {"",
       {5, 4},
       ElementType::kFloat64,
       {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)}});
  BagJob job = SumJob();
  job.destination.type = ValueType::kFloat64;
  PoolBags(job, {});
  for (const double x : Values(Path("out.npy"))) EXPECT_NEAR(x, 5e-60, 1e-74);
}

TEST_F(PoolBagsTest, OptionsAreRefusedWithTheirNames) {
  PutBag("in/a.npy", 3, 2);
  const auto option = [](const BagJob& job) -> std::string {
    try {
      PoolBags(job, {});
    } catch (const InvalidArgument& error) {
      return error.option();
    }
    return "";
  };
  BagJob job = SumJob();
  job.inputs.num_blocks = 3;
  EXPECT_EQ(option(job), "num_blocks");
  job = SumJob();
  job.pooling.power = 1.5;
  EXPECT_EQ(option(job), "power");
  job = SumJob();
  job.inputs.offsets = Path("offsets.npy");
  EXPECT_EQ(option(job), "offsets");
  job = SumJob();
  job.destination.resume = true;
  EXPECT_EQ(option(job), "resume");
  job = SumJob();
  job.pooling.pooling = WeightedOptions{};
  EXPECT_EQ(option(job), "input_weights");
}

TEST(PoolBag, NormalisesInTheOrderPowerThenLength) {
  Rows rows(2, 2);
  rows << 4, 0, 5, 16;
  BagPooling pooling;
  pooling.pooling = SumOptions{};
  pooling.power = 0.5;
  pooling.l2 = true;
  const PooledBag bag = PoolBag(Encodings::Dense(rows), pooling, {});
  // The sum is (9, 16), its roots are (3, 4), of length 5.
  EXPECT_NEAR(bag.phi(0, 0), 0.6, 1e-12);
  EXPECT_NEAR(bag.phi(0, 1), 0.8, 1e-12);
}

TEST(PoolBag, WeightsGiveTheVectorOfGmp) {
  Rows rows(3, 2);
  rows << 1, 0, 1, 0.5, 0, 1;
  BagPooling pooling;
  pooling.lambdas = {0.1, 10};
  const PooledBag bag = PoolBag(Encodings::Dense(rows), pooling, {}, {.weights = true});
  ASSERT_EQ(bag.weights.rows(), 2);
  for (Index l = 0; l < 2; ++l) {
    for (Index d = 0; d < 2; ++d) {
      double sum = 0;
      for (Index n = 0; n < 3; ++n) sum += bag.weights(l, n) * rows(n, d);
      EXPECT_NEAR(sum, bag.phi(l, d), 1e-5);
    }
  }
}

}  // namespace
}  // namespace alcedo
