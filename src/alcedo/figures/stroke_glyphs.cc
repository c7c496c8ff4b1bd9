#include "alcedo/figures/stroke_glyphs.h"

#include <utility>

namespace alcedo::internal {
namespace {

// clang-format off
constexpr StrokeGlyph kGlyphs[] = {
    {U' ', 1.6, ""},
    {U'!', 0, "0 7 0 2.2;0 0.1 0 0.2"},
    {U'"', 1.6, "0 7 0 5;1.6 7 1.6 5"},
    {U'#', 4.6, "1.3 0 2.1 7;3 0 3.8 7;0.2 2.3 4.4 2.3;0.4 4.7 4.6 4.7"},
    {U'$', 4.4, "@2.2 5.0 2 1.5 30 270 @2.2 2.0 2.2 1.5 90 -150;2.2 7.6 2.2 -0.6"},
    {U'%', 6, "@1.3 5.5 1.3 1.5 0 360;@4.7 1.5 1.3 1.5 0 360;5 7 1 0"},
    {U'&', 5.2, "5.2 0 1 5 @2.2 5.6 1.3 1.4 205 -25 @1.9 1.7 1.9 1.7 120 330 5 3.2"},
    {U'\'', 0, "0 7 0 5"},
    {U'(', 1.5, "@3.6 3 3.6 5 122 238"},
    {U')', 1.5, "@-2.1 3 3.6 5 58 -58"},
    {U'*', 3, "1.5 7 1.5 3.6;0 6.2 3 4.4;3 6.2 0 4.4"},
    {U'+', 4, "0 3 4 3;2 1 2 5"},
    {U',', 0.4, "0.4 0.4 0 -1.2"},
    {U'-', 2.2, "0 2.6 2.2 2.6"},
    {U'.', 0, "0 0.1 0 0.2"},
    {U'/', 2.8, "0 -0.8 2.8 7.4"},
    {U'0', 4.4, "@2.2 3.5 2.2 3.5 0 360"},
    {U'1', 4.4, "0.8 5.7 2.5 7 2.5 0"},
    {U'2', 4.4, "@2.2 5 2 2 165 -35 0.1 0 4.4 0"},
    {U'3', 4.4, "@2.1 5.3 1.8 1.7 150 -90 @2.1 1.8 2.2 1.8 90 -150"},
    {U'4', 4.4, "3.3 0 3.3 7 0 2.1 4.4 2.1"},
    {U'5', 4.4, "4 7 0.8 7 0.4 3.6 @2.1 2.3 2.2 2.3 135 -150"},
    {U'6', 4.4, "@2.2 2.2 2.2 2.2 0 360;@3.5 2.2 3.5 4.8 180 85"},
    {U'7', 4.4, "0.1 7 4.4 7 1.6 0"},
    {U'8', 4.4, "@2.2 5.35 1.8 1.65 0 360;@2.2 1.85 2.2 1.85 0 360"},
    {U'9', 4.4, "@2.2 4.8 2.2 2.2 0 360;@0.9 4.8 3.5 4.8 0 -95"},
    {U':', 0, "0 0.1 0 0.2;0 4.4 0 4.5"},
    {U';', 0.4, "0.4 0.4 0 -1.2;0.4 4.4 0.4 4.5"},
    {U'<', 4, "4 5.2 0 3 4 0.8"},
    {U'=', 4, "0 2.1 4 2.1;0 4 4 4"},
    {U'>', 4, "0 5.2 4 3 0 0.8"},
    {U'?', 3.6, "@1.8 5.3 1.8 1.7 160 -50 1.8 3 1.8 2.2;1.8 0.1 1.8 0.2"},
    {U'@', 7, "@3.3 2.8 1.5 1.7 0 360;4.8 4.5 4.8 2.2 @5.9 2.2 1.1 1.1 180 360 @3.5 2.8 3.5 4 0 320"},
    {U'A', 5, "0 0 2.5 7 5 0;0.85 2.4 4.15 2.4"},
    {U'B', 4.5, "0 0 0 7 2.5 7 @2.5 5.35 1.65 1.65 90 -90 0 3.7;2.5 3.7 @2.6 1.85 1.9 1.85 90 -90 0 0"},
    {U'C', 5, "@2.9 3.5 2.9 3.5 48 312"},
    {U'D', 5, "0 0 0 7 1.8 7 @1.8 3.5 3.2 3.5 90 -90 0 0"},
    {U'E', 4, "4 7 0 7 0 0 4 0;0 3.6 3.4 3.6"},
    {U'F', 3.8, "3.8 7 0 7 0 0;0 3.6 3.2 3.6"},
    {U'G', 5.5, "@2.9 3.5 2.9 3.5 48 338 5.5 3.3 3.2 3.3"},
    {U'H', 5, "0 0 0 7;5 0 5 7;0 3.6 5 3.6"},
    {U'I', 0, "0 0 0 7"},
    {U'J', 3, "3 7 3 1.6 @1.5 1.6 1.5 1.6 0 -180"},
    {U'K', 4.8, "0 0 0 7;4.5 7 0 2.6;1.6 4.1 4.8 0"},
    {U'L', 3.8, "0 7 0 0 3.8 0"},
    {U'M', 6, "0 0 0 7 3 1.5 6 7 6 0"},
    {U'N', 5, "0 0 0 7 5 0 5 7"},
    {U'O', 5.8, "@2.9 3.5 2.9 3.5 0 360"},
    {U'P', 4.5, "0 0 0 7 2.6 7 @2.6 5.1 1.9 1.9 90 -90 0 3.2"},
    {U'Q', 5.8, "@2.9 3.5 2.9 3.5 0 360;3.4 1.8 5.8 -0.6"},
    {U'R', 4.7, "0 0 0 7 2.6 7 @2.6 5.1 1.9 1.9 90 -90 0 3.2;2.4 3.2 4.7 0"},
    {U'S', 4.4, "@2.2 5.25 2 1.75 30 270 @2.2 1.75 2.2 1.75 90 -150"},
    {U'T', 5, "0 7 5 7;2.5 7 2.5 0"},
    {U'U', 5, "0 7 0 2.5 @2.5 2.5 2.5 2.5 180 360 5 7"},
    {U'V', 5, "0 7 2.5 0 5 7"},
    {U'W', 7.4, "0 7 1.8 0 3.7 6.5 5.6 0 7.4 7"},
    {U'X', 4.8, "0 0 4.8 7;0 7 4.8 0"},
    {U'Y', 5, "0 7 2.5 3.4 5 7;2.5 3.4 2.5 0"},
    {U'Z', 4.8, "0.2 7 4.6 7 0 0 4.8 0"},
    {U'[', 1.5, "1.5 7.4 0 7.4 0 -1 1.5 -1"},
    {U'\\', 2.8, "0 7.4 2.8 -0.8"},
    {U']', 1.5, "0 7.4 1.5 7.4 1.5 -1 0 -1"},
    {U'^', 3.2, "0 4.8 1.6 7 3.2 4.8"},
    {U'_', 4, "0 -1 4 -1"},
    {U'`', 1, "0 7 1 5.8"},
    {U'a', 3.9, "@1.95 2.4 1.95 2.4 0 360;3.9 4.8 3.9 0"},
    {U'b', 3.9, "0 7.2 0 0;@1.95 2.4 1.95 2.4 0 360"},
    {U'c', 3.6, "@2 2.4 2 2.4 48 312"},
    {U'd', 3.9, "@1.95 2.4 1.95 2.4 0 360;3.9 7.2 3.9 0"},
    {U'e', 4, "0 2.4 4 2.4 @2 2.4 2 2.4 0 315"},
    {U'f', 2.5, "@2.4 5.8 1.3 1.4 75 180 1.1 0;0 4.8 2.4 4.8"},
    {U'g', 3.9, "@1.95 2.4 1.95 2.4 0 360;3.9 4.8 3.9 -0.3 @1.95 -0.3 1.95 1.8 0 -150"},
    {U'h', 3.6, "0 7.2 0 0;0 2.9 @1.8 2.9 1.8 1.9 180 0 3.6 0"},
    {U'i', 0, "0 4.8 0 0;0 6.7 0 6.9"},
    {U'j', 1.2, "1.2 4.8 1.2 -0.9 @0 -0.9 1.2 1.2 0 -80;1.2 6.7 1.2 6.9"},
    {U'k', 3.6, "0 7.2 0 0;3.3 4.8 0 1.6;1.2 2.7 3.6 0"},
    {U'l', 0, "0 7.2 0 0"},
    {U'm', 6, "0 4.8 0 0;0 3.2 @1.5 3.2 1.5 1.6 180 0 3 0;3 3.2 @4.5 3.2 1.5 1.6 180 0 6 0"},
    {U'n', 3.6, "0 4.8 0 0;0 2.9 @1.8 2.9 1.8 1.9 180 0 3.6 0"},
    {U'o', 4.2, "@2.1 2.4 2.1 2.4 0 360"},
    {U'p', 3.9, "0 4.8 0 -2.1;@1.95 2.4 1.95 2.4 0 360"},
    {U'q', 3.9, "@1.95 2.4 1.95 2.4 0 360;3.9 4.8 3.9 -2.1"},
    {U'r', 2.2, "0 4.8 0 0;0 2.6 @1.9 2.6 1.9 2.2 180 80"},
    {U's', 3.4, "@1.7 3.55 1.5 1.25 30 270 @1.7 1.15 1.7 1.15 90 -150"},
    {U't', 2.6, "1.1 6.4 1.1 1.2 @2.3 1.2 1.2 1.2 180 290;0 4.8 2.5 4.8"},
    {U'u', 3.6, "0 4.8 0 1.9 @1.8 1.9 1.8 1.9 180 360 3.6 4.8;3.6 1.9 3.6 0"},
    {U'v', 3.8, "0 4.8 1.9 0 3.8 4.8"},
    {U'w', 5.8, "0 4.8 1.4 0 2.9 4.4 4.4 0 5.8 4.8"},
    {U'x', 3.6, "0 0 3.6 4.8;0 4.8 3.6 0"},
    {U'y', 3.8, "0 4.8 1.95 0.1;3.8 4.8 1.2 -2 0.2 -2"},
    {U'z', 3.5, "0.1 4.8 3.4 4.8 0 0 3.5 0"},
    {U'{', 2, "2 7.4 @2 6.4 1 1 90 180 1 4 0 3.2 1 2.4 1 0 @2 0 1 1 180 270"},
    {U'|', 0, "0 7.4 0 -1"},
    {U'}', 2, "0 7.4 @0 6.4 1 1 90 0 1 4 2 3.2 1 2.4 1 0 @0 0 1 1 0 -90"},
    {U'~', 4, "@1 2.8 1 0.7 180 0 @3 2.8 1 0.7 180 360"},
    {U'\u00a0', 1.6, ""},
    {U'\u00a1', 0, "0 0 0 4.8;0 6.7 0 6.9"},
    {U'\u00ab', 3.6, "1.6 4.4 0 2.6 1.6 0.8;3.6 4.4 2 2.6 3.6 0.8"},
    {U'\u00b0', 1.8, "@0.9 6.1 0.9 0.9 0 360"},
    {U'\u00b1', 4, "0 3.8 4 3.8;2 1.8 2 5.8;0 0.4 4 0.4"},
    {U'\u00b5', 3.6, "0 4.8 0 -2.1;0 1.9 @1.8 1.9 1.8 1.9 180 360 3.6 4.8;3.6 1.9 3.6 0"},
    {U'\u00b7', 0, "0 2.9 0 3.1"},
    {U'\u00bb', 3.6, "0 4.4 1.6 2.6 0 0.8;2 4.4 3.6 2.6 2 0.8"},
    {U'\u00c6', 7.2, "0 0 3.2 7 7.2 7;3.6 7 3.6 0 7.2 0;3.6 3.6 6.7 3.6;1.1 2.4 3.6 2.4"},
    {U'\u00d0', 5.8, "0.8 0 0.8 7 2.6 7 @2.6 3.5 3.2 3.5 90 -90 0.8 0;0 3.6 2.8 3.6"},
    {U'\u00d7', 3.2, "0.2 1.4 3 4.4;0.2 4.4 3 1.4"},
    {U'\u00d8', 5.8, "@2.9 3.5 2.9 3.5 0 360;0.4 -0.6 5.4 7.6"},
    {U'\u00de', 4.3, "0 0 0 7;0 5.5 2.4 5.5 @2.4 3.6 1.9 1.9 90 -90 0 1.7"},
    {U'\u00df', 3.9, "0 0 0 5.4 @1.6 5.4 1.6 1.8 180 -90 1.4 3.6;1.6 3.6 @1.7 1.8 2.2 1.8 90 -120"},
    {U'\u00e6', 6.9, "@1.75 2.4 1.75 2.4 0 360;3.5 4.8 3.5 0;3.5 2.4 6.9 2.4 @5.2 2.4 1.7 2.4 0 315"},
    {U'\u00f0', 4, "@2 2.2 2 2.2 0 360;@0 2.2 4 5 0 70;0.4 5.6 3.2 6.8"},
    {U'\u00f7', 4, "0 3 4 3;2 4.8 2 5;2 1 2 1.2"},
    {U'\u00f8', 4.2, "@2.1 2.4 2.1 2.4 0 360;0.2 -0.5 4 5.3"},
    {U'\u00fe', 3.9, "0 7.2 0 -2.1;@1.95 2.4 1.95 2.4 0 360"},
    {U'\u0110', 5.8, "0.8 0 0.8 7 2.6 7 @2.6 3.5 3.2 3.5 90 -90 0.8 0;0 3.6 2.8 3.6"},
    {U'\u0111', 4.8, "@1.95 2.4 1.95 2.4 0 360;3.9 7.2 3.9 0;2.2 6.1 4.8 6.1"},
    {U'\u0126', 6.2, "0.6 0 0.6 7;5.6 0 5.6 7;0.6 3.4 5.6 3.4;0 5.4 6.2 5.4"},
    {U'\u0127', 4.4, "0.8 7.2 0.8 0;0.8 2.9 @2.6 2.9 1.8 1.9 180 0 4.4 0;0 6.1 2.4 6.1"},
    {U'\u0131', 0, "0 4.8 0 0"},
    {U'\u0132', 5, "0 0 0 7;5 7 5 1.6 @3.5 1.6 1.5 1.6 0 -180"},
    {U'\u0133', 2.4, "0 4.8 0 0;0 6.7 0 6.9;2.4 4.8 2.4 -0.9 @1.2 -0.9 1.2 1.2 0 -80;2.4 6.7 2.4 6.9"},
    {U'\u0138', 3.6, "0 4.8 0 0;3.3 4.8 0 1.6;1.2 2.7 3.6 0"},
    {U'\u013f', 3.8, "0 7 0 0 3.8 0;2.4 3.5 2.4 3.7"},
    {U'\u0140', 1.5, "0 7.2 0 0;1.5 3.5 1.5 3.7"},
    {U'\u0141', 4.5, "0.7 7 0.7 0 4.5 0;0 2.6 2.7 4.4"},
    {U'\u0142', 2, "1 7.2 1 0;0 2.8 2 4.4"},
    {U'\u0149', 5.2, "0.5 7 0 5.2;1.6 4.8 1.6 0;1.6 2.9 @3.4 2.9 1.8 1.9 180 0 5.2 0"},
    {U'\u014a', 4.6, "0 0 0 7;0 4.6 @2.3 4.6 2.3 2.4 180 0 4.6 -0.6 @3.2 -0.6 1.4 1.4 0 -100"},
    {U'\u014b', 3.6, "0 4.8 0 0;0 2.9 @1.8 2.9 1.8 1.9 180 0 3.6 -0.9 @2.4 -0.9 1.2 1.2 0 -80"},
    {U'\u0152', 7.4, "7.4 7 2.9 7 @2.9 3.5 2.9 3.5 90 270 7.4 0;4 7 4 0;4 3.6 6.8 3.6"},
    {U'\u0153', 7.6, "@2 2.4 2 2.4 0 360;4 2.4 7.6 2.4 @5.8 2.4 1.8 2.4 0 315"},
    {U'\u0166', 5, "0 7 5 7;2.5 7 2.5 0;0.9 3.6 4.1 3.6"},
    {U'\u0167', 2.6, "1.1 6.4 1.1 1.2 @2.3 1.2 1.2 1.2 180 290;0 4.8 2.5 4.8;0 3 2.4 3"},
    {U'\u017f', 2.5, "@2.4 5.8 1.3 1.4 75 180 1.1 0"},
    {U'\u0237', 1.2, "1.2 4.8 1.2 -0.9 @0 -0.9 1.2 1.2 0 -80"},
    {U'\u03bb', 4, "0.2 7.2 0.9 7.2 4 0;2.2 4.1 0 0"},
    {U'\u03bc', 3.6, "0 4.8 0 -2.1;0 1.9 @1.8 1.9 1.8 1.9 180 360 3.6 4.8;3.6 1.9 3.6 0"},
    {U'\u1e9e', 4.6, "0 0 0 4.6 @2.2 4.6 2.2 2.4 180 50 2.2 4.2 @2.3 2.1 2.3 2.1 90 -120"},
    {U'\u2013', 3.4, "0 2.6 3.4 2.6"},
    {U'\u2014', 6, "0 2.6 6 2.6"},
    {U'\u2018', 0.5, "0.5 5.2 0 7"},
    {U'\u2019', 0.5, "0.5 7 0 5.2"},
    {U'\u201c', 2, "0.5 5.2 0 7;2 5.2 1.5 7"},
    {U'\u201d', 2, "0.5 7 0 5.2;2 7 1.5 5.2"},
    {U'\u201e', 2, "0.5 0.4 0 -1.2;2 0.4 1.5 -1.2"},
    {U'\u2026', 4, "0 0.1 0 0.2;2 0.1 2 0.2;4 0.1 4 0.2"},
    {U'\u20ac', 5.2, "@3.5 3.5 2.6 3.5 48 312;0 4.2 3.8 4.2;0 2.8 3.6 2.8"},
    {U'\u2212', 4, "0 3 4 3"},
};
// clang-format on

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

const StrokeGlyph* FindGlyph(char32_t character) {
  for (const StrokeGlyph& glyph : kGlyphs) {
    if (glyph.character == character) return &glyph;
  }
  return nullptr;
}

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
