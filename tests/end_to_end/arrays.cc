#include "arrays.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <random>

namespace end_to_end {
namespace {

template <class T>
void Append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

void AppendAs(std::string& bytes, const std::string& type, double value) {
  if (type == "<f4") return Append(bytes, static_cast<float>(value));
  if (type == "<f8") return Append(bytes, value);
  if (type == "<i4") return Append(bytes, static_cast<std::int32_t>(value));
  if (type == "<i8") return Append(bytes, static_cast<std::int64_t>(value));
  FAIL() << "no such type " << type;
}

std::string ShapeText(const std::vector<std::size_t>& shape) {
  std::string text = "(";
  for (const std::size_t n : shape) text += std::to_string(n) + ", ";
  return text + ")";
}

Row Values(const std::string& data, const std::string& type) {
  Row values;
  const std::size_t size = type == "<f4" ? 4 : 8;
  EXPECT_EQ(data.size() % size, 0u);
  for (std::size_t at = 0; at + size <= data.size(); at += size) {
    float single = 0;
    double value = 0;
    std::memcpy(size == 4 ? static_cast<void*>(&single) : &value, data.data() + at, size);
    values.push_back(size == 4 ? single : value);
  }
  return values;
}

std::uint32_t Crc32(const std::string& bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (const unsigned char byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

// Solves A x = b with partial pivoting.
Row Solve(Table a, Row b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i) {
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    }
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
  }
  return b;
}

}  // namespace

std::string NpyOfHeader(const std::string& header, const std::string& data) {
  std::string text = header;
  while ((10 + text.size() + 1) % 64 != 0) text += ' ';
  text += '\n';
  std::string bytes = std::string("\x93NUMPY\x01\0", 8);
  Append(bytes, static_cast<std::uint16_t>(text.size()));
  return bytes + text + data;
}

std::string Npy(const std::vector<std::size_t>& shape, const Row& values, const std::string& type) {
  std::string data;
  for (const double value : values) AppendAs(data, type, value);
  return NpyOfHeader(
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + ShapeText(shape) + ", }",
      data);
}

std::string Npy(const Table& rows, const std::string& type) {
  return Npy({rows.size(), rows.empty() ? 0 : rows[0].size()}, Flatten(rows), type);
}

std::string Npz(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string files, directory;
  for (const auto& [name, data] : members) {
    const std::string file = name + ".npy";
    std::string common;
    Append<std::uint16_t>(common, 20);  // version needed
    Append<std::uint16_t>(common, 0);   // flags
    Append<std::uint16_t>(common, 0);   // stored
    Append<std::uint32_t>(common, 0);   // time and date
    Append<std::uint32_t>(common, Crc32(data));
    Append<std::uint32_t>(common, data.size());
    Append<std::uint32_t>(common, data.size());
    Append<std::uint16_t>(common, file.size());
    Append<std::uint16_t>(common, 0);  // extra
    directory += std::string("PK\x01\x02\x14\0", 6) + common;
    directory += std::string(2 + 2 + 2 + 4, '\0');  // comment, disk, attributes
    Append<std::uint32_t>(directory, files.size());
    directory += file;
    files += std::string("PK\x03\x04", 4) + common + file + data;
  }
  std::string end = std::string("PK\x05\x06\0\0\0\0", 8);
  Append<std::uint16_t>(end, members.size());
  Append<std::uint16_t>(end, members.size());
  Append<std::uint32_t>(end, directory.size());
  Append<std::uint32_t>(end, files.size());
  Append<std::uint16_t>(end, 0);
  return files + directory + end;
}

std::string Safetensors(const std::vector<std::pair<std::string, Table>>& tensors) {
  std::string header = "{", data;
  for (const auto& [name, rows] : tensors) {
    const std::size_t begin = data.size();
    for (const double value : Flatten(rows)) AppendAs(data, "<f4", value);
    header += (header == "{" ? "\"" : ",\"") + name + "\":{\"dtype\":\"F32\",\"shape\":[" +
              std::to_string(rows.size()) + "," + std::to_string(rows[0].size()) +
              "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(data.size()) +
              "]}";
  }
  header += "}";
  while (header.size() % 8 != 0) header += ' ';
  std::string bytes;
  Append<std::uint64_t>(bytes, header.size());
  return bytes + header + data;
}

Array ParseNpy(const std::string& bytes) {
  Array array;
  EXPECT_GE(bytes.size(), 10u);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\0", 8));
  if (bytes.size() < 10) return array;
  std::uint16_t length = 0;
  std::memcpy(&length, bytes.data() + 8, 2);
  const std::string header = bytes.substr(10, length);
  EXPECT_EQ((10 + header.size()) % 64, 0u);
  EXPECT_NE(header.find("'fortran_order': False"), std::string::npos) << header;
  array.type = header.find("'<f4'") != std::string::npos ? "<f4" : "<f8";
  EXPECT_NE(header.find("'" + array.type + "'"), std::string::npos) << header;
  for (std::size_t at = header.find("'shape': (") + 10; header[at] != ')'; ++at) {
    if (std::isdigit(static_cast<unsigned char>(header[at])) == 0) continue;
    array.shape.push_back(std::stoull(header.substr(at), nullptr));
    while (std::isdigit(static_cast<unsigned char>(header[at + 1])) != 0) ++at;
  }
  array.values = Values(bytes.substr(10 + length), array.type);
  std::size_t size = 1;
  for (const std::size_t n : array.shape) size *= n;
  EXPECT_EQ(size, array.values.size()) << header;
  return array;
}

Array ParseSafetensors(const std::string& bytes, std::string* metadata) {
  Array array;
  std::uint64_t length = 0;
  EXPECT_GE(bytes.size(), 8u);
  std::memcpy(&length, bytes.data(), 8);
  const nlohmann::json header = nlohmann::json::parse(bytes.substr(8, length));
  EXPECT_EQ(header.size(), 2u) << header;
  const nlohmann::json& tensor = header.at("pooled");
  array.shape = tensor.at("shape").get<std::vector<std::size_t>>();
  array.type = tensor.at("dtype") == "F32" ? "<f4" : "<f8";
  array.values = Values(bytes.substr(8 + length), array.type);
  *metadata = header.at("__metadata__").dump();
  return array;
}

Table RandomRows(std::size_t rows, std::size_t columns, unsigned seed) {
  std::mt19937 random(seed);  // its numbers are the same everywhere
  Table table(rows, Row(columns));
  for (Row& row : table) {
    for (double& value : row) {
      value = static_cast<float>(static_cast<double>(random()) / 4294967296.0 * 2 - 0.7);
    }
  }
  return table;
}

Row Gmp(const Table& rows, double lambda) {
  const std::size_t dimension = rows[0].size();
  Table matrix(dimension, Row(dimension));
  for (std::size_t i = 0; i < dimension; ++i) {
    for (std::size_t j = 0; j < dimension; ++j) {
      for (const Row& row : rows) matrix[i][j] += row[i] * row[j];
    }
    matrix[i][i] += lambda;
  }
  return Solve(matrix, Sum(rows));
}

Row Alpha(const Table& rows, double lambda) {
  Table kernel(rows.size(), Row(rows.size()));
  for (std::size_t n = 0; n < rows.size(); ++n) {
    for (std::size_t m = 0; m < rows.size(); ++m) {
      for (std::size_t d = 0; d < rows[n].size(); ++d) kernel[n][m] += rows[n][d] * rows[m][d];
    }
    kernel[n][n] += lambda;
  }
  return Solve(kernel, Row(rows.size(), 1.0));
}

Row WeightedSum(const Table& rows, const Row& weights) {
  Row sum(rows[0].size());
  for (std::size_t n = 0; n < rows.size(); ++n) {
    for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += weights[n] * rows[n][d];
  }
  return sum;
}

Row Sum(const Table& rows) { return WeightedSum(rows, Row(rows.size(), 1.0)); }

Row Flatten(const Table& rows) {
  Row all;
  for (const Row& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}

double MeanSquaredNorm(const Table& rows) {
  double sum = 0;
  for (const double value : Flatten(rows)) sum += value * value;
  return sum / static_cast<double>(rows.size());
}

double RelativeError(const Row& a, const Row& b) {
  if (a.size() != b.size()) return INFINITY;
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    norm += b[i] * b[i];
  }
  return std::sqrt(difference / norm);
}

}  // namespace end_to_end
