// Writes the fuzzer's first corpus: array_reader_seeds FOLDER
#include <filesystem>
#include <iostream>
#include <string>

#include "sample_files.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: array_reader_seeds FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  int number = 0;
  for (const std::string& file : alcedo::fuzz::SampleFiles()) {
    alcedo::io_testing::WriteFile(folder / ("seed-" + std::to_string(number++)), file);
  }
  return 0;
}
