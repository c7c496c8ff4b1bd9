// Which vectors are made of every image, and which methods are compared on them.
#pragma once

#include <string>
#include <vector>

#include "alcedo/config/options.h"
#include "alcedo/reproduce/reproduce_options.h"

namespace alcedo {

// One way to pool, up to power and L2.
struct PoolChoice {
  std::string name;  // "sum", "gmp-1e+05", "gmp-relative-3": unique within a coding
  std::string
      method;  // the family: "sum", "gmp", "democratic", "gamma-democratic", "max", "softmax"
  PoolingOptions pooling;
};

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
  std::vector<PoolChoice> choices;
};

// Methods that are compared with each other on one descriptor: a row of a table. The methods with
// "+p" choose among all powers, the others have power 1; emk also chooses among its codings (one
// per sigma).
struct Row {
  std::string name;        // "sift-fv256"
  std::string descriptor;  // "sift" or "color"
  std::string encoder;     // "fv"
  int words = 0;
  bool pyramid = false;
  std::vector<int> codings;
  struct Method {
    std::string name;    // "gmp+p"
    std::string family;  // "gmp"
    bool power = false;
    std::string table;  // "1", "2", "pyramid" or "beyond"
  };
  std::vector<Method> methods;
  std::vector<double> powers;
};

// What tells it from rows with the same words and descriptor: "fv", "fv-pyramid".
std::string RepresentationName(const Row& row);

struct Plan {
  std::vector<Coding> codings;
  std::vector<Row> rows;
  std::vector<std::vector<int>> groups;  // rows that are fused with each other: one per descriptor
};

// `pyramid`: also the paragraph on spatial pyramids (the paper has it for VOC-2007).
Plan MakePlan(const ReproduceOptions& options, bool pyramid);

}  // namespace alcedo
