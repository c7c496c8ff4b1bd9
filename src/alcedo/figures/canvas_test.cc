#include "alcedo/figures/canvas.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "alcedo/figures/stroke_font.h"

namespace alcedo::internal {
namespace {

constexpr Rgb kBlack{0, 0, 0};

// How much ink there is, in pixels.
double Ink(const Image& canvas) {
  double ink = 0;
  const float* red = canvas.Plane(0);
  for (int i = 0; i < canvas.width * canvas.height; ++i) ink += 1 - red[i] / 255.0;
  return ink;
}

TEST(Stroke, CoversAboutItsArea) {
  for (const double angle : {0.0, 0.3, 0.8, 1.4}) {
    Image canvas = MakeCanvas(80, 80);
    const Point a{40 - 25 * std::cos(angle), 40 - 25 * std::sin(angle)};
    const Point b{40 + 25 * std::cos(angle), 40 + 25 * std::sin(angle)};
    Stroke(canvas, {{a, b}}, 4, kBlack);
    EXPECT_NEAR(Ink(canvas), 50 * 4 + 3.1416 * 4, 6) << angle;
  }
}

TEST(Stroke, CrossingLinesAreOneShape) {
  Image once = MakeCanvas(30, 30), twice = MakeCanvas(30, 30);
  const Polyline line{{5, 5}, {25, 22}};
  Stroke(once, {line}, 1.5, kBlack);
  Stroke(twice, {line, line}, 1.5, kBlack);
  EXPECT_EQ(once.samples, twice.samples);
}

TEST(Stroke, OutsideIsLeftOut) {
  Image canvas = MakeCanvas(10, 10);
  Stroke(canvas, {{{-50, -50}, {-20, -30}}, {{100, 5}, {200, 5}}}, 3, kBlack);
  EXPECT_EQ(Ink(canvas), 0);
  Stroke(canvas, {{{-50, 5}, {50, 5}}}, 2, kBlack);
  EXPECT_NEAR(Ink(canvas), 20, 0.01);
}

TEST(FillPolygon, CoversItsArea) {
  Image canvas = MakeCanvas(40, 40);
  FillPolygon(canvas, {{5.5, 5}, {30.25, 9}, {12, 33}}, kBlack);
  const double area = 0.5 * std::fabs((30.25 - 5.5) * (33 - 5) - (12 - 5.5) * (9 - 5));
  EXPECT_NEAR(Ink(canvas), area, 1.5);
}

TEST(Dashes, ShareTheLine) {
  double drawn = 0;
  for (const Polyline& dash : Dashes({{0, 0}, {30, 40}, {30, 90}}, 6, 4)) {
    drawn += std::hypot(dash[1].x - dash[0].x, dash[1].y - dash[0].y);
  }
  EXPECT_NEAR(drawn, 60, 1e-6);
}

TEST(DrawText, EveryPrintableCharacterIsItsOwn) {
  std::set<std::vector<float>> seen;
  std::vector<std::string> characters{"\u03bb", "\u00b0", "\u2212", "\u00d7", "\u2026", "\u2013"};
  for (char c = '!'; c <= '~'; ++c) characters.emplace_back(1, c);
  for (const std::string& character : characters) {
    Image canvas = MakeCanvas(24, 30);
    DrawText(canvas, 4, 20, character, {16, kBlack});
    EXPECT_GT(Ink(canvas), 0.5) << character;
    EXPECT_TRUE(seen.insert(canvas.samples).second) << character << " looks like another";
  }
}

std::vector<float> Drawn(const std::string& text) {
  Image canvas = MakeCanvas(80, 40);
  DrawText(canvas, 8, 26, text, {16, kBlack});
  return canvas.samples;
}

// The UTF-8 of a code point of two bytes.
std::string Utf8(int point) {
  return {static_cast<char>(0xc0 | point >> 6), static_cast<char>(0x80 | (point & 0x3f))};
}

TEST(DrawText, EveryLatinLetterIsItsOwn) {
  std::set<std::vector<float>> seen;
  for (char c = '!'; c <= '~'; ++c) seen.insert(Drawn(std::string(1, c)));
  for (int point = 0xc0; point < 0x180; ++point) {
    if (point == 0x110) continue;  // looks like U+00D0
    EXPECT_TRUE(seen.insert(Drawn(Utf8(point))).second) << Utf8(point) << " looks like another";
  }
}

TEST(DrawText, AccentsStayWithinTheirWidth) {
  for (int point = 0xc0; point < 0x180; ++point) {
    const std::string text = Utf8(point);
    Image canvas = MakeCanvas(60, 40);
    DrawText(canvas, 20, 26, text, {16, kBlack});
    for (int y = 0; y < 40; ++y) {
      for (int x = 0; x < 60; ++x) {
        if (canvas.Plane(0)[y * 60 + x] == 255) continue;
        EXPECT_GT(x + 1, 20 - 2) << text;
        EXPECT_LT(x, 20 + DrawnWidth(text, 16) + 2) << text;
        EXPECT_GT(y, 26 - 17) << text;
        EXPECT_LT(y, 26 + 6) << text;
      }
    }
  }
}

// As macOS writes the names of files.
TEST(DrawText, CombiningMarksBelongToTheirLetter) {
  EXPECT_EQ(Drawn("A\u0308"), Drawn("\u00c4"));
  EXPECT_EQ(Drawn("e\u0301x"), Drawn("\u00e9x"));
  EXPECT_EQ(Drawn("i\u0302"), Drawn("\u00ee"));
  EXPECT_EQ(Drawn("d\u030c"), Drawn("\u010f"));
  EXPECT_EQ(Drawn("q\u0308"), Drawn("q")) << "the letter stays";
  EXPECT_EQ(Drawn("\u0308a"), Drawn("a"));
}

TEST(DrawText, WhatIsNotThereIsAQuestionMark) {
  EXPECT_EQ(Drawn("\u4e2d"), Drawn("?"));
  EXPECT_EQ(Drawn("\xff"), Drawn("?"));
}

TEST(DrawText, StaysWithinItsWidth) {
  const std::string text = "Lambda 0.1 (gjpqy) W";
  for (const TextAnchor anchor : {TextAnchor::kStart, TextAnchor::kMiddle, TextAnchor::kEnd}) {
    Image canvas = MakeCanvas(400, 40);
    DrawText(canvas, 200, 25, text, {14, kBlack, anchor});
    const double width = DrawnWidth(text, 14);
    const double left = 200 - (anchor == TextAnchor::kStart    ? 0
                               : anchor == TextAnchor::kMiddle ? width / 2
                                                               : width);
    for (int y = 0; y < 40; ++y) {
      for (int x = 0; x < 400; ++x) {
        if (canvas.Plane(0)[y * 400 + x] == 255) continue;
        EXPECT_GT(x + 1, left - 2);
        EXPECT_LT(x, left + width + 2);
        EXPECT_GT(y, 25 - 14);
        EXPECT_LT(y, 25 + 5);
      }
    }
  }
}

TEST(DrawText, AnyBytesAreDrawn) {
  Image canvas = MakeCanvas(100, 30);
  DrawText(canvas, 4, 20, "\xff\xc3(\xe2\x82\n\x80", {12, kBlack});
  EXPECT_GT(Ink(canvas), 1);
  EXPECT_EQ(DrawnWidth("", 12), 0);
}

TEST(FitText, KeepsBothEnds) {
  const std::string name = "a_very_long_name_of_a_picture_0001.jpg";
  const std::string cut = FitText(name, 120, 12);
  EXPECT_LE(DrawnWidth(cut, 12), 120);
  EXPECT_GT(DrawnWidth(cut, 12), 90);
  EXPECT_TRUE(cut.starts_with("a_very"));
  EXPECT_TRUE(cut.ends_with(".jpg"));
  EXPECT_EQ(FitText("short", 120, 12), "short");
}

}  // namespace
}  // namespace alcedo::internal
