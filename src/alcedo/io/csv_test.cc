#include "alcedo/io/csv.h"

#include <gtest/gtest.h>

#include <vector>

namespace alcedo::internal {
namespace {

std::string Record(const std::vector<std::string_view>& fields) {
  std::string out;
  AppendCsvRecord(out, fields);
  return out;
}

TEST(Csv, PlainFieldsStandAsTheyAre) {
  EXPECT_EQ(Record({"a.jpg", "0", "", " b "}), "a.jpg,0,, b \r\n");
  EXPECT_EQ(Record({""}), "\r\n");
}

TEST(Csv, QuotesWhatSeparates) {
  EXPECT_EQ(Record({"a,b", "say \"hi\"", "two\r\nlines", "\n", "\r", "\""}),
            "\"a,b\",\"say \"\"hi\"\"\",\"two\r\nlines\",\"\n\",\"\r\",\"\"\"\"\r\n");
}

TEST(Csv, AppendsToWhatIsThere) {
  std::string out = "name\r\n";
  AppendCsvRecord(out, std::vector<std::string_view>{"x"});
  EXPECT_EQ(out, "name\r\nx\r\n");
}

}  // namespace
}  // namespace alcedo::internal
