// Naive array files and naive pooling: plain loops over vectors of doubles.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace end_to_end {

using Row = std::vector<double>;
using Table = std::vector<Row>;

struct Array {
  std::vector<std::size_t> shape;
  std::string type;  // "<f4" and so on
  Row values;        // C order
};

// The bytes of files that NumPy and safetensors would write.
std::string Npy(const std::vector<std::size_t>& shape, const Row& values,
                const std::string& type = "<f4");
std::string Npy(const Table& rows, const std::string& type = "<f4");
std::string NpyOfHeader(const std::string& header, const std::string& data);
std::string Npz(const std::vector<std::pair<std::string, std::string>>& members);
std::string Safetensors(const std::vector<std::pair<std::string, Table>>& tensors);

// What the program wrote. Fails the test for anything that is not exactly one little-endian .npy.
Array ParseNpy(const std::string& bytes);
// The one tensor called "pooled", and the metadata as JSON text.
Array ParseSafetensors(const std::string& bytes, std::string* metadata);

// Reproducible values, already rounded to float.
Table RandomRows(std::size_t rows, std::size_t columns, unsigned seed);

// Eq. 6 by Gaussian elimination.
Row Gmp(const Table& rows, double lambda);
// Eq. 10 by Gaussian elimination.
Row Alpha(const Table& rows, double lambda);
Row WeightedSum(const Table& rows, const Row& weights);
Row Sum(const Table& rows);
Row Flatten(const Table& rows);
// trace(K) / N
double MeanSquaredNorm(const Table& rows);

// ||a - b|| / ||b||
double RelativeError(const Row& a, const Row& b);

}  // namespace end_to_end
