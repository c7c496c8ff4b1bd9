#include "alcedo/weights/weight_figure.h"

#include <gtest/gtest.h>

#include <cmath>

#include "alcedo/base/error.h"

namespace alcedo {
namespace {

WeightPanels Panels(std::size_t maps) {
  WeightPanels panels;
  panels.name = "bird.jpg";
  panels.image = MakeImage(40, 30, 1);
  for (float& sample : panels.image.samples) sample = 200;
  for (std::size_t m = 0; m < maps; ++m) {
    WeightMap map{40, 30, std::vector<float>(1200, 0.5f)};
    map.values[45] = 2;
    if (m == 1) map.values[46] = -1;
    panels.maps.push_back(map);
    panels.labels.push_back("lambda");
  }
  return panels;
}

// Whether `part` stands somewhere in `whole`, pixel for pixel.
bool Contains(const Image& whole, const Image& part) {
  const auto same = [&](int left, int top) {
    for (int y = 0; y < part.height; ++y) {
      for (int x = 0; x < part.width; ++x) {
        for (int c = 0; c < 3; ++c) {
          if (whole.Plane(c)[(top + y) * whole.width + left + x] !=
              part.Plane(part.channels == 3 ? c : 0)[y * part.width + x]) {
            return false;
          }
        }
      }
    }
    return true;
  };
  for (int top = 0; top + part.height <= whole.height; ++top) {
    for (int left = 0; left + part.width <= whole.width; ++left) {
      if (same(left, top)) return true;
    }
  }
  return false;
}

TEST(MapImage, HasTheColoursOfItsScale) {
  const WeightMap map{3, 1, {-1, 0, 2}};
  const ColorScale scale = ScaleFor(map.values);
  ASSERT_TRUE(scale.diverging);
  const Image image = MapImage(map, scale);
  for (int c = 0; c < 3; ++c) {
    EXPECT_NEAR(image.Plane(c)[0], 255 * DivergingColor(-0.5)[c], 1e-3);
    EXPECT_NEAR(image.Plane(c)[1], 255 * DivergingColor(0)[c], 1e-3);
    EXPECT_NEAR(image.Plane(c)[2], 255 * DivergingColor(1)[c], 1e-3);
  }
}

TEST(WeightedImage, IsThePictureTimesItsShare) {
  Image image = MakeImage(4, 1, 1);
  image.samples = {100, 100, 100, 100};
  const Image weighted = WeightedImage(image, {4, 1, {2, 1, 0, -2}});
  for (int c = 0; c < 3; ++c) {
    EXPECT_EQ(weighted.Plane(c)[0], 100);
    EXPECT_EQ(weighted.Plane(c)[1], 50);
    EXPECT_EQ(weighted.Plane(c)[2], 0);
    EXPECT_EQ(weighted.Plane(c)[3], 0);
  }
  for (const std::vector<float>& nothing : {std::vector<float>(4, 0), std::vector<float>(4, -1)}) {
    const Image black = WeightedImage(image, {4, 1, nothing});
    for (const float sample : black.samples) EXPECT_EQ(sample, 0);
  }
}

TEST(WeightFigure, ShowsOriginalMapAndWeightedImage) {
  for (const std::size_t maps : {1, 3}) {
    const WeightPanels panels = Panels(maps);
    const Image figure = WeightFigure(panels);
    EXPECT_TRUE(Contains(figure, panels.image));
    for (const WeightMap& map : panels.maps) {
      EXPECT_TRUE(Contains(figure, MapImage(map, ScaleFor(map.values))));
      EXPECT_TRUE(Contains(figure, WeightedImage(panels.image, map)));
    }
    CheckImage(figure);
  }
}

TEST(WeightFigure, BoxesAreOutlined) {
  WeightPanels panels = Panels(1);
  panels.boxes = {{10, 8, 12, 9}};
  const Image figure = WeightFigure(panels);
  EXPECT_FALSE(Contains(figure, panels.image));
}

TEST(WeightFigure, AnyPictureHasOne) {
  WeightPanels panels;
  panels.name = std::string(500, 'x');
  panels.image = MakeImage(1, 1, 3);
  panels.maps = {{1, 1, {0}}};
  panels.labels = {std::string(100, 'y')};
  CheckImage(WeightFigure(panels));
  ContactSheet sheet;
  sheet.Add(panels);
  CheckImage(sheet.Draw());
}

TEST(WeightFigure, RefusesMapsOfAnotherSize) {
  WeightPanels panels = Panels(1);
  panels.maps[0].width = 30;
  EXPECT_THROW(WeightFigure(panels), InvalidArgument);
  panels = Panels(1);
  panels.labels.clear();
  EXPECT_THROW(WeightFigure(panels), InvalidArgument);
}

TEST(ContactSheet, HasEveryPicture) {
  ContactSheet sheet;
  EXPECT_THROW(sheet.Draw(), InvalidArgument);
  for (int i = 0; i < 7; ++i) {
    WeightPanels panels = Panels(2);
    for (float& sample : panels.image.samples) sample = static_cast<float>(30 * i);
    sheet.Add(panels);
  }
  EXPECT_EQ(sheet.size(), 7u);
  const Image drawn = sheet.Draw();
  for (int i = 0; i < 7; ++i) {
    Image image = MakeImage(40, 30, 1);
    for (float& sample : image.samples) sample = static_cast<float>(30 * i);
    EXPECT_TRUE(Contains(drawn, image)) << i;
  }
  EXPECT_LE(drawn.width, 1500);
}

// A colour means the same in every map of a lambda.
TEST(ContactSheet, AllMapsOfALambdaDivergeWhereOneDoes) {
  WeightPanels positive = Panels(1), negative = Panels(1);
  for (std::size_t i = 0; i < positive.maps[0].values.size(); ++i) {
    positive.maps[0].values[i] = static_cast<float>(i % 7);
    negative.maps[0].values[i] = static_cast<float>(i % 5) - 2;
  }
  const auto image = [](const WeightPanels& panels, bool diverging, double high) {
    return MapImage(panels.maps[0], {diverging, diverging ? -high : 0, high});
  };
  ContactSheet alone;
  alone.Add(positive);
  EXPECT_TRUE(Contains(alone.Draw(), image(positive, false, 6)));
  ContactSheet both;
  both.Add(positive);
  both.Add(negative);
  const Image drawn = both.Draw();
  EXPECT_TRUE(Contains(drawn, image(positive, true, 6)));
  EXPECT_TRUE(Contains(drawn, image(negative, true, 2)));
  EXPECT_FALSE(Contains(drawn, image(positive, false, 6)));
  // Those of another lambda are as they are.
  ContactSheet lambdas;
  WeightPanels two = positive;
  two.maps.push_back(negative.maps[0]);
  two.labels.push_back("another");
  lambdas.Add(two);
  EXPECT_TRUE(Contains(lambdas.Draw(), image(positive, false, 6)));
  EXPECT_TRUE(Contains(lambdas.Draw(), image(negative, true, 2)));
}

// Maps of zeros have no yellow: the bars below them have, at their ends.
TEST(ContactSheet, EveryMapHasItsScale) {
  const auto yellow = [](std::size_t maps) {
    WeightPanels panels = Panels(maps);
    for (WeightMap& map : panels.maps) map.values.assign(map.values.size(), 0);
    ContactSheet sheet;
    sheet.Add(panels);
    const Image drawn = sheet.Draw();
    int count = 0;
    for (int i = 0; i < drawn.width * drawn.height; ++i) {
      bool same = true;
      for (int c = 0; c < 3; ++c) {
        same = same && std::abs(drawn.Plane(c)[i] - 255 * SequentialColor(1)[c]) < 4;
      }
      count += same ? 1 : 0;
    }
    return count;
  };
  EXPECT_GE(yellow(1), 5);
  EXPECT_EQ(yellow(3), 3 * yellow(1));
}

}  // namespace
}  // namespace alcedo
