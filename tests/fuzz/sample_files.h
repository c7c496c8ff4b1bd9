// Small valid files of every kind, from the naive builders of the tests.
#pragma once

#include <string>
#include <vector>

#include "alcedo/io/io_testing.h"

namespace alcedo::fuzz {

inline std::vector<std::string> SampleFiles() {
  using io_testing::Bytes;
  using io_testing::Npy;
  using io_testing::NpyWithHeader;
  using io_testing::Safetensors;
  using io_testing::Zip;
  using io_testing::ZipSpec;

  std::vector<float> floats;
  std::vector<std::uint16_t> halves;
  for (int i = 0; i < 60; ++i) {
    floats.push_back(static_cast<float>(i * i % 17) - 8);
    halves.push_back(static_cast<std::uint16_t>(0x3c00 + 37 * i));
  }
  const std::string matrix = Npy("<f4", "(12, 5)", Bytes(floats));
  const std::string fortran = Npy(">f4", "(3, 4, 5)", Bytes(floats, true), true);
  const std::string half = Npy("<f2", "(60,)", Bytes(halves));
  const std::string integers = Npy("<i8", "(2, 2)", Bytes<std::int64_t>({1, -2, 3, INT64_MAX}));
  const std::string header = "{\"shape\":(2,), \"descr\":\"<f8\", \"fortran_order\": False}  \n";

  std::vector<std::string> files = {matrix, fortran, half, integers};
  files.push_back(NpyWithHeader(header, Bytes<double>({1, 2}), 2));
  files.push_back(NpyWithHeader(header, Bytes<double>({1, 2}), 3));
  files.push_back(Npy("|b1", "()", "\1"));
  files.push_back(Npy("<f4", "(0, 9)", ""));
  files.push_back(Zip({{"a.npy", matrix}, {"b.npy", integers}, {"notes.txt", "ignored"}}));
  files.push_back(Zip({{"a.npy", fortran, true}, {"b.npy", half, true}}, false, "a comment"));
  ZipSpec wide{"wide.npy", matrix, true};
  wide.zip64 = wide.data_descriptor = true;
  files.push_back(Zip({wide}, true));
  files.push_back(Safetensors(
      R"({"__metadata__":{"by":"hand"},"x":{"dtype":"F32","shape":[12,5],"data_offsets":[0,240]},)"
      R"("y":{"dtype":"I16","shape":[4],"data_offsets":[240,248]},)"
      R"("z":{"dtype":"BF16","shape":[0,3],"data_offsets":[248,248]}}   )",
      Bytes(floats) + Bytes<std::int16_t>({1, 2, 3, 4})));
  return files;
}

}  // namespace alcedo::fuzz
