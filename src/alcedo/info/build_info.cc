#include "alcedo/info/build_info.h"

#include <fmt/format.h>
#include <gif_lib.h>
#include <matio.h>
#include <png.h>
#include <webp/decode.h>
#include <xxhash.h>
#include <zlib.h>

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <pugixml.hpp>
// After cstdio, which it needs and does not include.
#include <jpeglib.h>
#ifdef ALCEDO_THREADS_TBB
#include <tbb/version.h>
#endif

#include "alcedo/linalg/blas.h"

namespace alcedo::info {
namespace {

std::string Dotted(int major, int minor, int patch) {
  return fmt::format("{}.{}.{}", major, minor, patch);
}

// One number of two digits a part: 51213 for 5.12.13.
std::string FromDecimal(int number) {
  return Dotted(number / 10000, number / 100 % 100, number % 100);
}

// Its configuration begins with its name.
std::string OpenBlas() {
  const std::string config = blas::Config(), name = "OpenBLAS ";
  return config.starts_with(name) ? config.substr(name.size()) : config;
}

std::string Webp() {
  const int version = WebPGetDecoderVersion();
  return Dotted(version >> 16, version >> 8 & 0xff, version & 0xff);
}

std::string Jpeg() {
#ifdef LIBJPEG_TURBO_VERSION_NUMBER
  constexpr int kTurbo = LIBJPEG_TURBO_VERSION_NUMBER;
  return fmt::format("turbo {}, API {}",
                     Dotted(kTurbo / 1000000, kTurbo / 1000 % 1000, kTurbo % 1000),
                     JPEG_LIB_VERSION);
#else
  return fmt::format("API {}", JPEG_LIB_VERSION);
#endif
}

std::string Matio() {
  int major = 0, minor = 0, patch = 0;
  Mat_GetLibraryVersion(&major, &minor, &patch);
  return Dotted(major, minor, patch);
}

#ifdef ALCEDO_THREADS_TBB
std::string Threads() { return TBB_runtime_version(); }
#endif

}  // namespace

std::vector<Component> Libraries() {
  return {
      {"OpenBLAS", OpenBlas()},
      {"Eigen", ALCEDO_EIGEN_VERSION},
      {"Highway", ALCEDO_HWY_VERSION},
#ifdef ALCEDO_THREADS_TBB
      {"TBB", Threads()},
#endif
      {"libjpeg", Jpeg()},
      {"libpng", png_get_libpng_ver(nullptr)},
      {"libwebp", Webp()},
      {"giflib", Dotted(GIFLIB_MAJOR, GIFLIB_MINOR, GIFLIB_RELEASE)},
      {"libexif", ALCEDO_LIBEXIF_VERSION},
      {"zlib", zlibVersion()},
      {"matio", Matio()},
      {"pugixml", Dotted(PUGIXML_VERSION / 1000, PUGIXML_VERSION / 10 % 100, PUGIXML_VERSION % 10)},
      {"xxHash", FromDecimal(static_cast<int>(XXH_versionNumber()))},
      {"fmt", FromDecimal(FMT_VERSION)},
      {"nlohmann/json", Dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                               NLOHMANN_JSON_VERSION_PATCH)},
      {"toml++", ALCEDO_TOML_VERSION}};
}

std::string CompilerName() {
#ifdef __clang__
  return fmt::format("Clang {}", Dotted(__clang_major__, __clang_minor__, __clang_patchlevel__));
#else
  return fmt::format("GCC {}", Dotted(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__));
#endif
}

std::string BuildType() { return ALCEDO_BUILD_TYPE; }

std::string ThreadsBackEnd() { return ALCEDO_THREADS_NAME; }

std::string Sanitizers() {
  const std::string sanitizers = ALCEDO_SANITIZERS;
  return sanitizers.empty() ? "none" : sanitizers;
}

}  // namespace alcedo::info
