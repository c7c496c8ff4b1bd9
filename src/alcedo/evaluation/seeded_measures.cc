#include "alcedo/evaluation/seeded_measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "alcedo/base/error.h"
#include "alcedo/evaluation/evaluation_internal.h"
#include "alcedo/evaluation/resample.h"

namespace alcedo {
namespace {

// `both` from the variance of the mean over seeds and the mean variance of one seed's value, which
// differ by the images' chance that seeds do not share: (1 - 1 / S) of it.
SeededMeasure WithParts(std::vector<double> values, double of_mean, double of_one) {
  const auto seeds = static_cast<double>(values.size());
  SeededMeasure measure{std::move(values), of_mean, 0};
  if (seeds > 1) measure.both = std::clamp((of_one - of_mean) / (seeds - 1), 0.0, of_mean);
  return measure;
}

// Images that are added to a group: so many, the sum of their values, and of the squares of these.
struct AddedImages {
  double count, sum, squares;
};
constexpr AddedImages kAgrestiCoull = {4, 2, 2};
constexpr AddedImages kAgrestiMin = {2, 0, 1};

// Values of a group of images, a row for each image and a column for each seed.
class Group {
 public:
  void Add(const std::vector<int>& of_seeds) {
    sums_.resize(of_seeds.size());
    squares_.resize(of_seeds.size());
    double mean = 0;
    for (std::size_t s = 0; s < of_seeds.size(); ++s) {
      sums_[s] += of_seeds[s];
      squares_[s] += of_seeds[s] * of_seeds[s];
      mean += of_seeds[s] / static_cast<double>(of_seeds.size());
    }
    varies_ |= count_ > 0 && of_seeds != first_;
    if (count_ == 0) first_ = of_seeds;
    ++count_;
    mean_sum_ += mean;
    mean_squares_ += mean * mean;
  }

  bool empty() const { return count_ == 0; }
  bool one() const { return count_ == 1; }
  bool varies() const { return varies_; }
  double MeanOf(std::size_t seed) const { return sums_[seed] / count_; }
  // Variances of the group's mean: of the mean over seeds, and the mean of those of the seeds.
  double OfMean() const { return OfSums(mean_sum_, mean_squares_); }
  double OfOne() const {
    double sum = 0;
    for (std::size_t s = 0; s < sums_.size(); ++s) sum += OfSums(sums_[s], squares_[s]);
    return sum / static_cast<double>(sums_.size());
  }
  double OfMeanWith(const AddedImages& added) const {
    const double n = count_ + added.count, mean = (mean_sum_ + added.sum) / n;
    return ((mean_squares_ + added.squares) / n - mean * mean) / n;
  }

 private:
  double OfSums(double sum, double squares) const {
    if (count_ < 2) return 0;
    return std::max(0.0, (squares - sum * sum / count_) / (count_ - 1) / count_);
  }

  double count_ = 0, mean_sum_ = 0, mean_squares_ = 0;
  std::vector<double> sums_, squares_;
  std::vector<int> first_;
  bool varies_ = false;
};

// values[s][i]: of image i with seed s.
SeededMeasure OfValues(const std::vector<std::vector<int>>& values, std::span<const int> labels,
                       int classes, bool over_classes, const AddedImages& added) {
  std::vector<Group> groups(over_classes ? static_cast<std::size_t>(classes) : 1);
  std::vector<int> of_image(values.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t s = 0; s < values.size(); ++s) of_image[s] = values[s][i];
    groups[over_classes ? static_cast<std::size_t>(labels[i]) : 0].Add(of_image);
  }
  std::erase_if(groups, [](const Group& group) { return group.empty(); });
  std::vector<double> of_seeds(values.size(), 0);
  if (groups.empty()) return {of_seeds, 0, 0};
  const auto n = static_cast<double>(groups.size());
  const auto still = std::ranges::count_if(groups, [](const Group& g) { return !g.varies(); });
  const bool few = 2 * still >= std::ssize(groups);
  double of_mean = 0, of_one = 0, more = 0;
  for (const Group& group : groups) {
    for (std::size_t s = 0; s < of_seeds.size(); ++s) of_seeds[s] += group.MeanOf(s) / n;
    of_mean += group.OfMean() / (n * n);
    of_one += group.OfOne() / (n * n);
    if (!few && !group.one()) continue;
    more += std::max(0.0, group.OfMeanWith(added) - group.OfMean()) / (n * n);
  }
  SeededMeasure measure = WithParts(std::move(of_seeds), of_mean, of_one);
  measure.images += more;
  return measure;
}

std::vector<int> Right(const std::vector<int>& predicted, std::span<const int> labels,
                       int classes) {
  internal::CheckPredictions(predicted, labels, classes);
  std::vector<int> right(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) right[i] = int{predicted[i] == labels[i]};
  return right;
}

}  // namespace

SeededMeasure SeededTopOne(std::span<const std::vector<int>> predicted, std::span<const int> labels,
                           int classes, bool over_classes) {
  std::vector<std::vector<int>> values;
  for (const std::vector<int>& one : predicted) values.push_back(Right(one, labels, classes));
  return OfValues(values, labels, classes, over_classes, kAgrestiCoull);
}

SeededMeasure SeededTopOneDifference(std::span<const std::vector<int>> first,
                                     std::span<const std::vector<int>> second,
                                     std::span<const int> labels, int classes, bool over_classes) {
  if (first.size() != second.size()) {
    throw InvalidArgument(fmt::format("seeds of two methods must be equally many, got {} and {}",
                                      first.size(), second.size()));
  }
  std::vector<std::vector<int>> values;
  for (std::size_t s = 0; s < first.size(); ++s) {
    values.push_back(Right(first[s], labels, classes));
    const std::vector<int> other = Right(second[s], labels, classes);
    for (std::size_t i = 0; i < other.size(); ++i) values.back()[i] -= other[i];
  }
  return OfValues(values, labels, classes, over_classes, kAgrestiMin);
}

SeededMeasure SeededMap(std::span<const double> values,
                        std::span<const std::vector<double>> halves) {
  const auto differs = [&](const auto& one) { return one.size() != halves[0].size(); };
  if (halves.size() != values.size() || std::ranges::any_of(halves, differs)) {
    throw InvalidArgument(
        fmt::format("every seed's measure must have equally many values of halves, got {} for {}",
                    halves.size(), values.size()));
  }
  if (values.empty()) return {};
  std::vector<double> mean(halves[0].size(), 0);
  double of_one = 0;
  for (const std::vector<double>& one : halves) {
    of_one += internal::VarianceOf(one) / static_cast<double>(halves.size());
    for (std::size_t i = 0; i < mean.size(); ++i) {
      mean[i] += one[i] / static_cast<double>(halves.size());
    }
  }
  return WithParts({values.begin(), values.end()}, internal::VarianceOf(mean), of_one);
}

}  // namespace alcedo
