#include "engine/train/log/curve_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mindspeed {
namespace {

constexpr double kWidth = 900, kHeight = 480, kLeft = 70, kRight = 20, kTop = 50, kBottom = 50;

struct Frame {
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
  double x(double step) const { return kLeft + (step - x0) / (x1 - x0) * (kWidth - kLeft - kRight); }
  double y(double loss) const {
    return kHeight - kBottom - (loss - y0) / (y1 - y0) * (kHeight - kTop - kBottom);
  }
};

// 1, 2 or 5 times a power of ten, so that about five intervals cover `span`.
double tick_width(double span) {
  const double raw = span / 5.0, power = std::pow(10.0, std::floor(std::log10(raw)));
  for (double factor : {1.0, 2.0, 5.0})
    if (raw <= factor * power) return factor * power;
  return 10.0 * power;
}

Frame frame_of(const std::vector<CurvePoint>& a, const std::vector<CurvePoint>& b) {
  Frame f{1e300, -1e300, 1e300, -1e300};
  for (const auto* curve : {&a, &b})
    for (const CurvePoint& p : *curve) {
      f.x0 = std::min(f.x0, static_cast<double>(p.step));
      f.x1 = std::max(f.x1, static_cast<double>(p.step));
      f.y0 = std::min(f.y0, p.loss);
      f.y1 = std::max(f.y1, p.loss);
    }
  if (f.x1 <= f.x0) f.x1 = f.x0 + 1;
  const double margin = f.y1 > f.y0 ? 0.05 * (f.y1 - f.y0) : 0.5;
  f.y0 -= margin;
  f.y1 += margin;
  return f;
}

// At most one point per pixel column: the mean of the points that fall into it.
std::vector<CurvePoint> thinned(const std::vector<CurvePoint>& curve) {
  const size_t group = std::max<size_t>(1, curve.size() / static_cast<size_t>(kWidth - kLeft - kRight));
  std::vector<CurvePoint> out;
  for (size_t i = 0; i < curve.size(); i += group) {
    const size_t end = std::min(curve.size(), i + group);
    double sum = 0;
    for (size_t k = i; k < end; ++k) sum += curve[k].loss;
    out.push_back({curve[(i + end - 1) / 2].step, sum / static_cast<double>(end - i)});
  }
  return out;
}

// Exponential mean with the weight of about a thirtieth of the curve, corrected for its start.
std::vector<CurvePoint> smoothed(const std::vector<CurvePoint>& curve) {
  const double keep = 1.0 - 1.0 / std::max(2.0, static_cast<double>(curve.size()) / 30.0);
  double sum = 0, weight = 0;
  std::vector<CurvePoint> out;
  for (const CurvePoint& p : curve) {
    sum = keep * sum + p.loss;
    weight = keep * weight + 1.0;
    out.push_back({p.step, sum / weight});
  }
  return out;
}

std::string line(const Frame& f, const std::vector<CurvePoint>& curve, const char* style) {
  std::string points;
  for (const CurvePoint& p : curve)
    points += fmt::format("{:.1f},{:.1f} ", f.x(static_cast<double>(p.step)), f.y(p.loss));
  return fmt::format("<polyline fill=\"none\" {} points=\"{}\"/>\n", style, points);
}

std::string axes(const Frame& f) {
  std::string out;
  const double dy = tick_width(f.y1 - f.y0), dx = std::max(1.0, tick_width(f.x1 - f.x0));
  for (double v = std::ceil(f.y0 / dy) * dy; v <= f.y1; v += dy)
    out += fmt::format(
        "<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#ddd\"/>"
        "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:.4g}</text>\n",
        kLeft, kWidth - kRight, f.y(v), f.y(v), kLeft - 8, f.y(v) + 4, v);
  for (double v = std::ceil(f.x0 / dx) * dx; v <= f.x1; v += dx)
    out += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:.6g}</text>\n", f.x(v),
                       kHeight - kBottom + 20, v);
  out +=
      fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">step</text>\n", kWidth / 2, kHeight - 10);
  return out;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string curve_svg(const std::string& title, const std::vector<CurvePoint>& training,
                      const std::vector<CurvePoint>& validation) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
      "font-size=\"13\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{}\" y=\"28\" "
      "font-size=\"17\">{}</text>\n",
      kWidth, kHeight, kLeft, escaped(title));
  if (training.empty() && validation.empty())
    return out + "<text x=\"70\" y=\"80\">no steps yet</text>\n</svg>\n";
  const Frame f = frame_of(training, validation);
  out += axes(f);
  if (!training.empty()) {
    out += line(f, thinned(training), "stroke=\"#9ec5e8\" stroke-width=\"1\"");
    out += line(f, thinned(smoothed(training)), "stroke=\"#1f5f99\" stroke-width=\"2\"");
  }
  for (const CurvePoint& p : validation)
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"#d9622b\"/>\n",
                       f.x(static_cast<double>(p.step)), f.y(p.loss));
  out += fmt::format(
      "<text x=\"{}\" y=\"28\" text-anchor=\"end\"><tspan fill=\"#1f5f99\">training loss</tspan>"
      "<tspan fill=\"#d9622b\">{}</tspan></text>\n",
      kWidth - kRight, validation.empty() ? "" : "   validation loss");
  return out + "</svg>\n";
}

}  // namespace mindspeed
