// Pictures that can be told apart, and small models of them.
#pragma once

#include <cmath>
#include <random>
#include <string>

#include "fixture.h"
#include "pictures.h"

namespace end_to_end {

// Stripes whose direction, and in part whose tint, is that of the kind.
inline std::string Stripes(int kind, int number) {
  constexpr int kSize = 40;
  std::mt19937 random(static_cast<unsigned>(100 * number + kind));
  const auto uniform = [&] { return random() % 1000 / 1000.0; };
  const double angle = 0.2 + 1.0 * kind + 0.3 * uniform(), period = 0.5 + 0.3 * uniform();
  std::string picture = "P6 40 40 255\n";
  for (int y = 0; y < kSize; ++y) {
    for (int x = 0; x < kSize; ++x) {
      const double wave = std::sin(period * (x * std::cos(angle) + y * std::sin(angle)));
      for (int channel = 0; channel < 3; ++channel) {
        const double tint = channel == kind ? 25 : 0;
        picture += static_cast<char>(static_cast<int>(90 + tint + 40 * wave + 60 * uniform()));
      }
    }
  }
  return picture;
}

class Train : public EndToEnd {
 protected:
  Train() { Paint("data", 6); }

  static void Paint(const std::string& folder, int count) {
    for (int kind = 0; kind < 3; ++kind) {
      for (int i = 0; i < count; ++i) {
        WriteFile(folder + "/" + kNames[kind] + "/" + std::to_string(i) + ".ppm", Stripes(kind, i));
      }
    }
  }
  static Args Run(const std::string& output, const Args& more = {}, bool small = true) {
    const Args size{"--gaussians", "4", "--samples", "1000", "--sift-patch", "16"};
    return Args{"train", "data", "-o", output} + (small ? size : Args{}) + more;
  }
  // Quiet, and only SIFT where it does not matter.
  static Args Quick(const std::string& output, const Args& more = {}) {
    return Run(output, Args{"-q", "--descriptor", "sift"} + more);
  }

  static constexpr const char* kNames[] = {"red one", "green", "blue"};
};

}  // namespace end_to_end
