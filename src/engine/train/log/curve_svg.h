// Draws loss curves as an SVG picture. Torch-free.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mindspeed {

struct CurvePoint {
  int64_t step = 0;
  double loss = 0.0;
};

// Training loss (a line, thinned to the width of the picture, with its running mean) and validation loss
// (dots) over steps, with axes. Empty curves give a picture that says so.
std::string curve_svg(const std::string& title, const std::vector<CurvePoint>& training,
                      const std::vector<CurvePoint>& validation);

}  // namespace mindspeed
