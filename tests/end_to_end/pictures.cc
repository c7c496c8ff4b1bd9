#include "pictures.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

namespace end_to_end {
namespace fs = std::filesystem;
namespace {

// Interleaved samples.
std::string Samples(int width, int height, int channels, unsigned seed) {
  std::mt19937 random(seed);
  const double fx = 0.1 + 0.8 * (random() % 1000) / 1000;
  const double fy = 0.1 + 0.8 * (random() % 1000) / 1000;
  std::string samples;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int c = 0; c < channels; ++c) {
        const double wave = 80 * std::sin(fx * x + c) * std::cos(fy * y);
        samples += static_cast<char>(static_cast<int>(110 + wave + random() % 40));
      }
    }
  }
  return samples;
}

std::string PnmHeader(const char* magic, int width, int height) {
  return std::string(magic) + " " + std::to_string(width) + " " + std::to_string(height) + " 255\n";
}

void AppendBig(std::string& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
}

std::uint32_t Crc(const std::string& bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (const unsigned char byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

void AppendChunk(std::string& png, const std::string& type, const std::string& data) {
  AppendBig(png, static_cast<std::uint32_t>(data.size()));
  png += type + data;
  AppendBig(png, Crc(type + data));
}

// Deflate without compression: blocks of at most 65,535 bytes.
std::string Zlib(const std::string& data) {
  std::string bytes = "\x78\x01";
  std::uint32_t a = 1, b = 0;
  for (const unsigned char byte : data) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  for (std::size_t at = 0; at < data.size();) {
    const std::size_t size = std::min<std::size_t>(65535, data.size() - at);
    bytes += static_cast<char>(at + size == data.size() ? 1 : 0);
    for (const std::size_t number : {size, ~size}) {
      bytes += static_cast<char>(number & 0xff);
      bytes += static_cast<char>(number >> 8 & 0xff);
    }
    bytes += data.substr(at, size);
    at += size;
  }
  AppendBig(bytes, b << 16 | a);
  return bytes;
}

}  // namespace

std::string Pgm(int width, int height, unsigned seed) {
  return PnmHeader("P5", width, height) + Samples(width, height, 1, seed);
}

std::string Ppm(int width, int height, unsigned seed) {
  return PnmHeader("P6", width, height) + Samples(width, height, 3, seed);
}

std::string Png(int width, int height, unsigned seed) {
  std::string header;
  AppendBig(header, static_cast<std::uint32_t>(width));
  AppendBig(header, static_cast<std::uint32_t>(height));
  header += std::string("\x08\x00\x00\x00\x00", 5);  // 8 bits, grey
  const std::string samples = Samples(width, height, 1, seed);
  std::string rows;
  for (int y = 0; y < height; ++y) {
    rows += '\0';  // no filter
    rows += samples.substr(static_cast<std::size_t>(y) * width, width);
  }
  std::string png = "\x89PNG\r\n\x1a\n";
  AppendChunk(png, "IHDR", header);
  AppendChunk(png, "IDAT", Zlib(rows));
  AppendChunk(png, "IEND", "");
  return png;
}

std::string TinyJpeg() {
  const std::string hex =
      "ffd8ffe000104a46494600010100000100010000ffdb0043000d090a0b0a080d0b0a0b0e0e0d0f13201513121213"
      "271c1e17202e2931302e292d2c333a4a3e333646372c2d405741464c4e525352323e5a615a50604a51524fffc000"
      "0b080010001001011100ffc40014000100000000000000000000000000000000ffc4001b10000104030000000000"
      "000000000000001100133551638291ffda0008010100003f0045e577503b691795dd40eda45e577503b691795dd4"
      "0edaffd9";
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

void MakePictures(const std::string& folder, int count, int size) {
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(10000 + i).substr(1);
    WriteFile(folder + "/p" + number + ".pgm", Pgm(size, size, static_cast<unsigned>(i + 1)));
  }
}

Args SmallLearn(const std::string& inputs, const std::string& output) {
  return {"learn", inputs,      "-o",  output,   "--gaussians", "4", "--pca-dimensions",
          "6",     "--samples", "350", "--quiet"};
}

std::map<std::string, std::string> FilesBelow(const std::string& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    files[entry.path().lexically_relative(folder)] = ReadFile(entry.path());
  }
  return files;
}

Args operator+(Args a, const Args& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace end_to_end
