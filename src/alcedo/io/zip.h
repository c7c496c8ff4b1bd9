// As much of the zip format as .npz files use: stored and deflated members, ZIP64.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "alcedo/io/byte_source.h"

namespace alcedo::internal {

// One member, by the central directory, whose compressed bytes are known to lie in the file.
struct ZipMember {
  std::string name;
  bool deflated = false;
  std::uint32_t crc = 0;
  std::uint64_t compressed_size = 0;
  std::uint64_t size = 0;    // as claimed; for a deflated member only inflating it shows the truth
  std::uint64_t offset = 0;  // of the compressed bytes in the file
};

// The members whose names end in `suffix`, in the order of the directory. They are located, do not
// overlap, are not encrypted and are compressed in a way that is known here.
std::vector<ZipMember> ReadZipMembers(const ByteSource& source, std::string_view suffix);

// The first `count` bytes of a member; fewer if it ends before. Memory grows with what is really
// there, not with `count`.
std::string ReadMemberStart(const ByteSource& source, const ZipMember& member, std::uint64_t count);

// A whole deflated member, its size and checksum verified.
std::string InflateMember(const ByteSource& source, const ZipMember& member);

// Verifies the checksum of a stored member; its bytes can then be read where they lie.
void CheckStoredMember(const ByteSource& source, const ZipMember& member);

}  // namespace alcedo::internal
