// SPDX-License-Identifier: Apache-2.0
#include "enfold/budget/render/render.h"
#include "enfold/budget/render/report.h"

namespace enfold::budget::detail {
namespace {

std::string_view name(const Unit& unit) {
  switch (unit.shown) {
    case Shown::absent: return "dropped";
    case Shown::row: return "row";
    case Shown::brief: return unit.value.is_string() ? "clipped" : "brief";
    case Shown::whole: return "whole";
  }
  return "dropped";
}

// Merges adjacent items with the same result into one line.
class Parts {
 public:
  explicit Parts(const Outline& outline) : outline_(outline) {}

  void add(const Spot& spot, std::string_view what, std::int64_t tokens) {
    if (count_ > 0 && spot_.group == spot.group && spot_.last + 1 == spot.first && what_ == what &&
        spot.group != kNone && outline_.groups[spot.group].value.is_array()) {
      spot_.last = spot.last;
      tokens_ += tokens;
      count_ += spot.last - spot.first + 1;
      return;
    }
    flush();
    spot_ = spot;
    what_ = what;
    tokens_ = tokens;
    count_ = spot.last - spot.first + 1;
  }

  std::vector<Part> take() {
    flush();
    return std::move(parts_);
  }
  void append(Part part) {
    flush();
    parts_.push_back(std::move(part));
  }

 private:
  void flush() {
    if (count_ == 0) return;
    parts_.push_back({place(outline_, spot_), what_, count_,
                      static_cast<std::size_t>(tokens_ > 0 ? tokens_ : 0)});
    count_ = 0;
  }

  const Outline& outline_;
  std::vector<Part> parts_;
  Spot spot_;
  std::string_view what_;
  std::int64_t tokens_ = 0;
  std::size_t count_ = 0;
};

void add_group(Parts& parts, const Plan& plan, std::uint32_t index) {
  const Group& group = plan.outline().groups[index];
  std::uint32_t next = 0;
  for (const Child& child : group.children) {
    if (child.position > next) parts.add({index, next, child.position - 1}, "dropped", 0);
    next = child.position + 1;
    if (child.is_group) continue;
    const Unit& unit = plan.outline().units[child.index];
    parts.add({index, child.position, child.position}, name(unit), plan.tokens(unit));
  }
  if (next < group.count) {
    parts.add({index, next, static_cast<std::uint32_t>(group.count) - 1}, "dropped", 0);
  }
}

}  // namespace

std::vector<Part> explain(const Plan& plan, Form form) {
  const Outline& outline = plan.outline();
  Parts parts(outline);
  if (form == Form::data || form == Form::sample) {
    for (std::uint32_t i = 0; i < outline.groups.size(); ++i) add_group(parts, plan, i);
    if (outline.groups.empty()) {
      parts.add({}, name(outline.units[0]), plan.tokens(outline.units[0]));
    }
  } else {
    parts.append({"", "dropped", 1, 0});
  }
  if (form == Form::reference || form == Form::bare) return parts.take();
  for (const Fact& fact : plan.facts()) {
    if (!fact.shown) continue;
    parts.append({fact.pointer, "facts", 1, static_cast<std::size_t>(fact.cost.tokens)});
  }
  for (const Text& text : outline.texts) {
    if (text.rows == 0) continue;
    std::int64_t tokens = 0;
    for (std::size_t i = 0; i < text.lines.size(); ++i) {
      if (text.line_shown[i] != 0) tokens += text.line_costs[i]->tokens;
    }
    parts.append({outline.pointer(outline.units[text.unit]), "lines", text.rows,
                  static_cast<std::size_t>(tokens)});
  }
  return parts.take();
}

}  // namespace enfold::budget::detail
