#include "alcedo/figures/stroke_accents.h"

#include <utility>

namespace alcedo::internal {
namespace {

using Place = StrokeAccent::Place;

// clang-format off
constexpr StrokeAccent kGrave{Place::kOver, 0.9, "-0.9 2.2 0.5 1.1"};
constexpr StrokeAccent kAcute{Place::kOver, 0.9, "0.9 2.2 -0.5 1.1"};
constexpr StrokeAccent kCircumflex{Place::kOver, 1.3, "-1.3 1.1 0 2.3 1.3 1.1"};
constexpr StrokeAccent kCaron{Place::kOver, 1.3, "-1.3 2.3 0 1.1 1.3 2.3"};
constexpr StrokeAccent kTilde{Place::kOver, 1.5, "@-0.75 1.5 0.75 0.5 180 0 @0.75 1.5 0.75 0.5 180 360"};
constexpr StrokeAccent kMacron{Place::kOver, 1.3, "-1.3 1.6 1.3 1.6"};
constexpr StrokeAccent kBreve{Place::kOver, 1.3, "@0 2.4 1.3 1.3 190 350"};
constexpr StrokeAccent kDot{Place::kOver, 0, "0 1.7 0 1.9"};
constexpr StrokeAccent kDiaeresis{Place::kOver, 1.1, "-1.1 1.7 -1.1 1.9;1.1 1.7 1.1 1.9"};
constexpr StrokeAccent kRing{Place::kOver, 0.8, "@0 1.7 0.8 0.8 0 360"};
constexpr StrokeAccent kDoubleAcute{Place::kOver, 1.3, "-0.1 2.2 -1.2 1.1;1.4 2.2 0.3 1.1"};
constexpr StrokeAccent kCommaAbove{Place::kOver, 0.4, "0.4 2.4 -0.2 1.1"};
constexpr StrokeAccent kCaronBeside{Place::kBeside, 0.3, "0.3 7.2 -0.3 5.4"};
constexpr StrokeAccent kCedilla{Place::kBelow, 0.8, "0.1 0 -0.2 -0.8 @-0.1 -1.4 0.8 0.6 90 -130"};
constexpr StrokeAccent kCommaBelow{Place::kBelow, 0.4, "0.3 -1 -0.3 -2.3"};
constexpr StrokeAccent kOgonek{Place::kFoot, 0.8, "@0.4 -1 0.9 1 100 300"};

constexpr AccentedLetter kAccented[] = {
    {U'\u00c0', U'A', kGrave}, {U'\u00c1', U'A', kAcute}, {U'\u00c2', U'A', kCircumflex},
    {U'\u00c3', U'A', kTilde}, {U'\u00c4', U'A', kDiaeresis}, {U'\u00c5', U'A', kRing},
    {U'\u00c7', U'C', kCedilla}, {U'\u00c8', U'E', kGrave}, {U'\u00c9', U'E', kAcute},
    {U'\u00ca', U'E', kCircumflex}, {U'\u00cb', U'E', kDiaeresis}, {U'\u00cc', U'I', kGrave},
    {U'\u00cd', U'I', kAcute}, {U'\u00ce', U'I', kCircumflex}, {U'\u00cf', U'I', kDiaeresis},
    {U'\u00d1', U'N', kTilde}, {U'\u00d2', U'O', kGrave}, {U'\u00d3', U'O', kAcute},
    {U'\u00d4', U'O', kCircumflex}, {U'\u00d5', U'O', kTilde}, {U'\u00d6', U'O', kDiaeresis},
    {U'\u00d9', U'U', kGrave}, {U'\u00da', U'U', kAcute}, {U'\u00db', U'U', kCircumflex},
    {U'\u00dc', U'U', kDiaeresis}, {U'\u00dd', U'Y', kAcute}, {U'\u00e0', U'a', kGrave},
    {U'\u00e1', U'a', kAcute}, {U'\u00e2', U'a', kCircumflex}, {U'\u00e3', U'a', kTilde},
    {U'\u00e4', U'a', kDiaeresis}, {U'\u00e5', U'a', kRing}, {U'\u00e7', U'c', kCedilla},
    {U'\u00e8', U'e', kGrave}, {U'\u00e9', U'e', kAcute}, {U'\u00ea', U'e', kCircumflex},
    {U'\u00eb', U'e', kDiaeresis}, {U'\u00ec', U'\u0131', kGrave}, {U'\u00ed', U'\u0131', kAcute},
    {U'\u00ee', U'\u0131', kCircumflex}, {U'\u00ef', U'\u0131', kDiaeresis},
    {U'\u00f1', U'n', kTilde}, {U'\u00f2', U'o', kGrave}, {U'\u00f3', U'o', kAcute},
    {U'\u00f4', U'o', kCircumflex}, {U'\u00f5', U'o', kTilde}, {U'\u00f6', U'o', kDiaeresis},
    {U'\u00f9', U'u', kGrave}, {U'\u00fa', U'u', kAcute}, {U'\u00fb', U'u', kCircumflex},
    {U'\u00fc', U'u', kDiaeresis}, {U'\u00fd', U'y', kAcute}, {U'\u00ff', U'y', kDiaeresis},
    {U'\u0100', U'A', kMacron}, {U'\u0101', U'a', kMacron}, {U'\u0102', U'A', kBreve},
    {U'\u0103', U'a', kBreve}, {U'\u0104', U'A', kOgonek}, {U'\u0105', U'a', kOgonek},
    {U'\u0106', U'C', kAcute}, {U'\u0107', U'c', kAcute}, {U'\u0108', U'C', kCircumflex},
    {U'\u0109', U'c', kCircumflex}, {U'\u010a', U'C', kDot}, {U'\u010b', U'c', kDot},
    {U'\u010c', U'C', kCaron}, {U'\u010d', U'c', kCaron}, {U'\u010e', U'D', kCaron},
    {U'\u010f', U'd', kCaronBeside}, {U'\u0112', U'E', kMacron}, {U'\u0113', U'e', kMacron},
    {U'\u0114', U'E', kBreve}, {U'\u0115', U'e', kBreve}, {U'\u0116', U'E', kDot},
    {U'\u0117', U'e', kDot}, {U'\u0118', U'E', kOgonek}, {U'\u0119', U'e', kOgonek},
    {U'\u011a', U'E', kCaron}, {U'\u011b', U'e', kCaron}, {U'\u011c', U'G', kCircumflex},
    {U'\u011d', U'g', kCircumflex}, {U'\u011e', U'G', kBreve}, {U'\u011f', U'g', kBreve},
    {U'\u0120', U'G', kDot}, {U'\u0121', U'g', kDot}, {U'\u0122', U'G', kCommaBelow},
    {U'\u0123', U'g', kCommaAbove}, {U'\u0124', U'H', kCircumflex}, {U'\u0125', U'h', kCircumflex},
    {U'\u0128', U'I', kTilde}, {U'\u0129', U'\u0131', kTilde}, {U'\u012a', U'I', kMacron},
    {U'\u012b', U'\u0131', kMacron}, {U'\u012c', U'I', kBreve}, {U'\u012d', U'\u0131', kBreve},
    {U'\u012e', U'I', kOgonek}, {U'\u012f', U'i', kOgonek}, {U'\u0130', U'I', kDot},
    {U'\u0134', U'J', kCircumflex}, {U'\u0135', U'\u0237', kCircumflex},
    {U'\u0136', U'K', kCommaBelow}, {U'\u0137', U'k', kCommaBelow}, {U'\u0139', U'L', kAcute},
    {U'\u013a', U'l', kAcute}, {U'\u013b', U'L', kCommaBelow}, {U'\u013c', U'l', kCommaBelow},
    {U'\u013d', U'L', kCaronBeside}, {U'\u013e', U'l', kCaronBeside}, {U'\u0143', U'N', kAcute},
    {U'\u0144', U'n', kAcute}, {U'\u0145', U'N', kCommaBelow}, {U'\u0146', U'n', kCommaBelow},
    {U'\u0147', U'N', kCaron}, {U'\u0148', U'n', kCaron}, {U'\u014c', U'O', kMacron},
    {U'\u014d', U'o', kMacron}, {U'\u014e', U'O', kBreve}, {U'\u014f', U'o', kBreve},
    {U'\u0150', U'O', kDoubleAcute}, {U'\u0151', U'o', kDoubleAcute}, {U'\u0154', U'R', kAcute},
    {U'\u0155', U'r', kAcute}, {U'\u0156', U'R', kCommaBelow}, {U'\u0157', U'r', kCommaBelow},
    {U'\u0158', U'R', kCaron}, {U'\u0159', U'r', kCaron}, {U'\u015a', U'S', kAcute},
    {U'\u015b', U's', kAcute}, {U'\u015c', U'S', kCircumflex}, {U'\u015d', U's', kCircumflex},
    {U'\u015e', U'S', kCedilla}, {U'\u015f', U's', kCedilla}, {U'\u0160', U'S', kCaron},
    {U'\u0161', U's', kCaron}, {U'\u0162', U'T', kCedilla}, {U'\u0163', U't', kCedilla},
    {U'\u0164', U'T', kCaron}, {U'\u0165', U't', kCaronBeside}, {U'\u0168', U'U', kTilde},
    {U'\u0169', U'u', kTilde}, {U'\u016a', U'U', kMacron}, {U'\u016b', U'u', kMacron},
    {U'\u016c', U'U', kBreve}, {U'\u016d', U'u', kBreve}, {U'\u016e', U'U', kRing},
    {U'\u016f', U'u', kRing}, {U'\u0170', U'U', kDoubleAcute}, {U'\u0171', U'u', kDoubleAcute},
    {U'\u0172', U'U', kOgonek}, {U'\u0173', U'u', kOgonek}, {U'\u0174', U'W', kCircumflex},
    {U'\u0175', U'w', kCircumflex}, {U'\u0176', U'Y', kCircumflex}, {U'\u0177', U'y', kCircumflex},
    {U'\u0178', U'Y', kDiaeresis}, {U'\u0179', U'Z', kAcute}, {U'\u017a', U'z', kAcute},
    {U'\u017b', U'Z', kDot}, {U'\u017c', U'z', kDot}, {U'\u017d', U'Z', kCaron},
    {U'\u017e', U'z', kCaron}, {U'\u0218', U'S', kCommaBelow}, {U'\u0219', U's', kCommaBelow},
    {U'\u021a', U'T', kCommaBelow}, {U'\u021b', U't', kCommaBelow},
};
// clang-format on

constexpr std::pair<char32_t, const StrokeAccent*> kCombining[] = {
    {0x300, &kGrave},  {0x301, &kAcute},       {0x302, &kCircumflex}, {0x303, &kTilde},
    {0x304, &kMacron}, {0x306, &kBreve},       {0x307, &kDot},        {0x308, &kDiaeresis},
    {0x30a, &kRing},   {0x30b, &kDoubleAcute}, {0x30c, &kCaron},      {0x327, &kCedilla},
    {0x328, &kOgonek}};

bool IsCombining(char32_t point) { return point >= 0x300 && point < 0x370; }

const StrokeAccent* AccentOf(char32_t mark) {
  for (const auto& [combining, accent] : kCombining) {
    if (combining == mark) return accent;
  }
  return nullptr;
}

// One accent may be drawn in another way over some letters.
bool IsDrawnFor(const StrokeAccent& drawn, const StrokeAccent& accent) {
  return &drawn == &accent || (&accent == &kCaron && &drawn == &kCaronBeside) ||
         (&accent == &kCedilla && (&drawn == &kCommaBelow || &drawn == &kCommaAbove));
}

// Accents stand over letters without their dot.
char32_t WithoutDot(char32_t letter) {
  return letter == U'i' ? U'\u0131' : letter == U'j' ? U'\u0237' : letter;
}

}  // namespace

const AccentedLetter* FindAccented(char32_t character) {
  for (const AccentedLetter& accented : kAccented) {
    if (accented.character == character) return &accented;
  }
  return nullptr;
}

std::u32string Composed(const std::u32string& points) {
  std::u32string composed;
  for (const char32_t point : points) {
    if (!IsCombining(point)) {
      composed.push_back(point);
      continue;
    }
    const StrokeAccent* accent = AccentOf(point);
    if (accent == nullptr || composed.empty()) continue;
    const char32_t letter = composed.back();
    for (const AccentedLetter& accented : kAccented) {
      if ((accented.letter == letter || accented.letter == WithoutDot(letter)) &&
          IsDrawnFor(accented.accent, *accent)) {
        composed.back() = accented.character;
        break;
      }
    }
  }
  return composed;
}

}  // namespace alcedo::internal
