// What the tests of `alcedo encode` share: pictures in "in", and a vocabulary "v.safetensors".
#pragma once

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "fixture.h"
#include "pictures.h"

namespace end_to_end {

class Encode : public EndToEnd {
 protected:
  Encode() { MakePictures("in", 7, 48); }

  static void LearnVocabulary() { Succeed(SmallLearn("in", "v.safetensors")); }

  static Args EncodeArgs(const Args& more) {
    return Args{"encode", "--vocabulary", "v.safetensors", "--quiet"} + more;
  }
  static Result RunEncode(const Args& more) { return RunProgram(EncodeArgs(more)); }
  static Result SucceedEncode(const Args& more) { return Succeed(EncodeArgs(more)); }
  static std::string FailEncode(const Args& more, int exit_code) {
    return Fail(EncodeArgs(more), exit_code);
  }

  static Array Encoded(const Args& more) {
    SucceedEncode(more + Args{"-o", "encoded.npy"});
    return ParseNpy(ReadFile("encoded.npy"));
  }

  static nlohmann::json Json(const std::string& text) { return nlohmann::json::parse(text); }
};

}  // namespace end_to_end
