// Which vectors are made of every image, and which methods are compared on them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "alcedo/base/run.h"
#include "alcedo/base/types.h"
#include "alcedo/config/options.h"
#include "alcedo/dataset/dataset.h"
#include "alcedo/encode/image_encoder.h"
#include "alcedo/reproduce/reproduce_options.h"

namespace alcedo::reproduce {

// One way to pool, up to power and L2.
struct PoolChoice {
  std::string name;  // "sum", "gmp-1e+05", "gmp-relative-3": unique within a coding
  std::string
      method;  // the family: "sum", "gmp", "democratic", "gamma-democratic", "max", "softmax"
  PoolingOptions pooling;
};

// What is done to pooled vectors beside power and L2: nothing; L2 of every block after the power
// (intra-normalisation); the mean of all training vectors, each of norm 1, taken away before.
enum class Finish { kPlain, kIntra, kCentred };

// One way to encode, with all poolings of it that are wanted: these share the encodings, and GMP
// its one solve for all lambdas.
struct Coding {
  std::string name;  // "sift-fv256", unique
  DescriptorChoice descriptor;
  EncoderOptions encoder = FisherOptions{};
  VocabularyOptions vocabulary;
  int words = 0;     // 0 for emk
  double sigma = 0;  // emk: times the median distance
  std::string pyramid = "1";
  Finish finish = Finish::kPlain;
  int pooled_as = -1;  // another coding that differs only by its finish, and has the vectors
  std::vector<PoolChoice> choices;
};

// The number of the coding that has the vectors of this one: usually its own.
inline int PooledAs(const Coding& coding, int number) {
  return coding.pooled_as >= 0 ? coding.pooled_as : number;
}

// Methods that are compared with each other on one descriptor: a row of a table. The methods with
// "+p" choose among all powers, the others have power 1; emk also chooses among its codings (one
// per sigma).
struct Row {
  std::string name;        // "sift-fv256"
  std::string descriptor;  // "sift" or "color"
  std::string encoder;     // "fv"
  int words = 0;
  std::string variant;  // "pyramid", "intra", "centred" or ""
  std::vector<int> codings;
  std::vector<std::vector<int>> searched;  // of every one of these, the choices to choose from
  struct Method {
    std::string name;    // "gmp+p"
    std::string family;  // "gmp"
    bool power = false;
    std::string table;  // "1", "2", "pyramid" or "beyond"
  };
  std::vector<Method> methods;
  std::vector<double> powers;
};

// What tells it from rows with the same words and descriptor: "fv", "fv-pyramid", "fv-intra".
std::string RepresentationName(const Row& row);

struct Plan {
  std::vector<Coding> codings;
  std::vector<Row> rows;
  std::vector<std::vector<int>> groups;  // rows that are fused with each other: one per descriptor
};

// The vectors that a search of these rows reads: by the coding that has them, the choices.
WantedPoolings VectorsOf(const Plan& plan, std::span<const int> rows);

// `pyramid`: the dataset is one that the paper has its paragraph on spatial pyramids for: VOC-2007.
Plan MakePlan(const ReproduceOptions& options, bool pyramid);

// A coding, and which vocabulary it was made from.
struct ReadyCoding {
  Coding coding;
  std::string vocabulary_checksum;
  Index dimension = 0;  // of one vector
  Index cells = 1;      // of its pyramid
  Index block = 0;      // entries of a word; 0 for emk
};

// A plan made ready: its vocabularies learned, and one encoder for all its vectors.
struct ReadyPlan {
  std::vector<ReadyCoding> codings;
  // A channel for every coding, a pooling for every choice of it: vectors before power and L2.
  ImageEncoder encoder;
  // Hard BOV of every descriptor, pooled by GMP with lambda = 0 and by max.
  ImageEncoder bov;
  double accuracy;  // of solvers

  int PooledAs(int coding) const {
    return reproduce::PooledAs(codings[static_cast<std::size_t>(coding)].coding, coding);
  }
};

// Learns what is not yet in run.work / "vocabularies", in one reading of the images that are not
// tested on. All vocabularies of a descriptor are learned from the same samples, so that they share
// one PCA.
ReadyPlan MakeReady(const Plan& plan, const Dataset& dataset, const ReproduceOptions& options,
                    std::uint64_t seed, const Run& run);

}  // namespace alcedo::reproduce
