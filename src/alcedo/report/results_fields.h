// The one list of every struct's fields: files are written, read and put into columns by it.
#pragma once

#include <concepts>
#include <type_traits>

#include "alcedo/report/results.h"

namespace alcedo::internal {

// T, or const T: one list for writers and for readers.
template <class Maybe, class T>
concept MaybeConst = std::same_as<std::remove_const_t<Maybe>, T>;

template <MaybeConst<Cell> T, class Visitor>
void VisitFields(T& cell, Visitor&& visit) {
  visit("dataset", cell.dataset);
  visit("table", cell.table);
  visit("encoder", cell.encoder);
  visit("gaussians", cell.gaussians);
  visit("descriptor", cell.descriptor);
  visit("method", cell.method);
  visit("metric", cell.metric);
  visit("value", cell.value);
  visit("low", cell.low);
  visit("high", cell.high);
  visit("paper", cell.paper);
  visit("seeds", cell.seeds);
  visit("other", cell.other);
  visit("chosen", cell.chosen);
}

template <MaybeConst<Curve::Point> T, class Visitor>
void VisitFields(T& point, Visitor&& visit) {
  visit("x", point.x);
  visit("y", point.y);
}

template <MaybeConst<Curve> T, class Visitor>
void VisitFields(T& curve, Visitor&& visit) {
  visit("dataset", curve.dataset);
  visit("encoder", curve.encoder);
  visit("gaussians", curve.gaussians);
  visit("descriptor", curve.descriptor);
  visit("method", curve.method);
  visit("parameter", curve.parameter);
  visit("metric", curve.metric);
  visit("points", curve.points);
  visit("baseline", curve.baseline);
}

template <MaybeConst<Comparison> T, class Visitor>
void VisitFields(T& comparison, Visitor&& visit) {
  visit("dataset", comparison.dataset);
  visit("encoder", comparison.encoder);
  visit("gaussians", comparison.gaussians);
  visit("descriptor", comparison.descriptor);
  visit("method", comparison.method);
  visit("baseline", comparison.baseline);
  visit("metric", comparison.metric);
  visit("difference", comparison.difference);
  visit("low", comparison.low);
  visit("high", comparison.high);
  visit("p", comparison.p);
}

template <MaybeConst<ClassGains> T, class Visitor>
void VisitFields(T& gains, Visitor&& visit) {
  visit("dataset", gains.dataset);
  visit("encoder", gains.encoder);
  visit("gaussians", gains.gaussians);
  visit("descriptor", gains.descriptor);
  visit("method", gains.method);
  visit("baseline", gains.baseline);
  visit("metric", gains.metric);
  visit("classes", gains.classes);
  visit("method_values", gains.method_values);
  visit("baseline_values", gains.baseline_values);
}

template <MaybeConst<Confusion> T, class Visitor>
void VisitFields(T& confusion, Visitor&& visit) {
  visit("dataset", confusion.dataset);
  visit("encoder", confusion.encoder);
  visit("gaussians", confusion.gaussians);
  visit("descriptor", confusion.descriptor);
  visit("method", confusion.method);
  visit("classes", confusion.classes);
  visit("counts", confusion.counts);
}

template <MaybeConst<Check> T, class Visitor>
void VisitFields(T& check, Visitor&& visit) {
  visit("dataset", check.dataset);
  visit("what", check.what);
  visit("deviation", check.deviation);
  visit("tolerance", check.tolerance);
  visit("images", check.images);
  visit("holds", check.holds);
}

template <MaybeConst<Timing> T, class Visitor>
void VisitFields(T& timing, Visitor&& visit) {
  visit("dataset", timing.dataset);
  visit("stage", timing.stage);
  visit("seconds", timing.seconds);
  visit("cpu_seconds", timing.cpu_seconds);
  visit("images", timing.images);
}

template <MaybeConst<DatasetSummary::Failure> T, class Visitor>
void VisitFields(T& failure, Visitor&& visit) {
  visit("name", failure.name);
  visit("reason", failure.reason);
}

template <MaybeConst<DatasetSummary> T, class Visitor>
void VisitFields(T& dataset, Visitor&& visit) {
  visit("name", dataset.name);
  visit("title", dataset.title);
  visit("classes", dataset.classes);
  visit("train", dataset.train);
  visit("validation", dataset.validation);
  visit("test", dataset.test);
  visit("notes", dataset.notes);
  visit("failures", dataset.failures);
}

template <MaybeConst<Results> T, class Visitor>
void VisitFields(T& results, Visitor&& visit) {
  visit("version", results.version);
  visit("config", results.config);
  visit("seeds", results.seeds);
  visit("lite", results.lite);
  visit("complete", results.complete);
  visit("datasets", results.datasets);
  visit("cells", results.cells);
  visit("curves", results.curves);
  visit("comparisons", results.comparisons);
  visit("gains", results.gains);
  visit("confusions", results.confusions);
  visit("checks", results.checks);
  visit("timings", results.timings);
}

}  // namespace alcedo::internal
