// What reports call methods, encoders and descriptors, in which order they list them, and how they
// draw them. All of it follows from the library's lists of poolings, encoders and descriptors: a
// new one is in every report.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace alcedo::report {

// The names of all methods in the order of reports: every pooling ("gmp"), and the same with power
// normalisation ("gmp+p").
std::vector<std::string> Methods();

// What is sorted by it stands in the order of reports; names that are not known come last, in the
// order of the alphabet.
using Place = std::pair<std::size_t, std::string>;
Place MethodPlace(std::string_view method);
// "fv-pyramid" and "fv-intra" follow "fv".
Place EncoderPlace(std::string_view encoder);
Place DescriptorPlace(std::string_view descriptor);

// "GMP+p" for "gmp+p"; a name that is not known stays as it is. So do the others.
std::string MethodName(std::string_view method);
std::string EncoderName(std::string_view encoder);
// "FV, G = 256", "EMK"; for "fv-pyramid" "FV, G = 256, pyramid", for "fv-intra" "...,
// intra-normalised".
std::string EncoderName(std::string_view encoder, int gaussians);
std::string DescriptorName(std::string_view descriptor);

// A method has one colour on the whole page (svg_document.h): the colour of the text if it is not
// known. A descriptor has one kind of lines and markers.
std::size_t MethodColor(std::string_view method);
std::size_t DescriptorStyle(std::string_view descriptor);

}  // namespace alcedo::report
