// The parts of a report that are plain lists, as texts in rows: for Markdown and for HTML.
#pragma once

#include <string>
#include <vector>

#include "alcedo/report/results.h"

namespace alcedo::report {

struct List {
  std::string title;
  std::string note;  // how to read it
  struct Column {
    std::string name;
    // Numbers stand right; choices and sentences may wrap.
    enum Kind { kName, kNumber, kChoices, kSentence } kind = kName;
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  // not escaped
  std::vector<std::size_t> alarming;           // rows that a reader must not miss
};

// If all rows have the same value there, as with one dataset.
void DropColumnOfOneValue(List& list, std::size_t column);

List ComparisonsList(const Results& results);
List ChecksList(const Results& results);
// One row per cell that chose something.
List ChosenList(const Results& results);
// Solvers that did not reach their accuracy, and the cells whose numbers they are behind.
List UnconvergedList(const Results& results);
List TimingsList(const Results& results);
List DatasetsList(const Results& results);
// The pairs of classes that were most often confused, ten of every confusion.
List ConfusedList(const Results& results);
// Images that could not be read.
List FailuresList(const Results& results);

// "Alcedo 1.0.0, commit ..., on an AMD EPYC, at most 2.1 GiB of memory."
std::string MadeBy(const Results& results);
// "1, 2, 3".
std::string SeedsText(const Results& results);
// The configuration as indented JSON, in UTF-8 whatever it holds.
std::string ConfigText(const Results& results);

}  // namespace alcedo::report
