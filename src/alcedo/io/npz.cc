#include "alcedo/io/npz.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <utility>

#include "alcedo/base/error.h"
#include "alcedo/io/npy.h"

namespace alcedo::internal {
namespace {

constexpr std::string_view kSuffix = ".npy";

void AddMember(const ByteSource& source, ZipMember member, ArrayTable& table) {
  ArrayInfo info;
  info.name = member.name.substr(0, member.name.size() - kSuffix.size());
  const Place where = ArrayPlace(source.name(), info.name);

  const NpyPreamble preamble =
      ParseNpyPreamble(ReadMemberStart(source, member, kNpyPreambleSize), where);
  const std::string start = ReadMemberStart(source, member, preamble.data_offset());
  if (start.size() < preamble.data_offset()) {
    where.Fail(
        fmt::format("is truncated: the .npy header ends at byte {}, but the member "
                    "after {}",
                    preamble.data_offset(), start.size()));
  }
  NpyHeader header = ParseNpyHeader(std::string_view(start).substr(preamble.text_offset), where);
  info.shape = std::move(header.shape);
  info.type = header.dtype.type;
  CheckNpySize(info, preamble.data_offset(), member.size, where);

  Payload payload;
  payload.member = std::move(member);
  payload.offset = preamble.data_offset();
  payload.fortran_order = header.fortran_order;
  payload.swap_bytes = header.dtype.swap_bytes;
  payload.refusal = std::move(header.dtype.refusal);
  table.Add(std::move(info), std::move(payload));
}

}  // namespace

ArrayTable ReadNpzTable(const ByteSource& source) {
  ArrayTable table;
  std::set<std::string> names;
  for (ZipMember& member : ReadZipMembers(source, kSuffix)) {
    if (!names.insert(member.name).second) {
      throw FormatError(source.name(), fmt::format("the zip holds {} twice", Quote(member.name)));
    }
    AddMember(source, std::move(member), table);
  }
  if (table.arrays.empty()) {
    throw FormatError(source.name(), "the zip holds no .npy member, so it is not a .npz");
  }
  return table;
}

}  // namespace alcedo::internal
