// SPDX-License-Identifier: Apache-2.0
#include "bench/report.h"

#include "enfold/json/write.h"

#include <algorithm>
#include <fmt/core.h>

namespace enfold::bench {
namespace {

std::string duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.2f} µs", seconds * 1e6);
  return fmt::format("{:.2f} ms", seconds * 1e3);
}

bool has(const Race& race, const std::string& name) {
  return std::any_of(race.rows.begin(), race.rows.end(),
                     [&](const Measured& row) { return row.name == name; });
}

double share(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

double rounded(double value) { return std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr); }

// fmt pads by bytes here and there; a table with µ in it must be padded by characters.
std::string cell(std::string text, std::size_t width, bool left = false) {
  std::size_t shown = 0;
  for (const char c : text) shown += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  const std::string padding(width > shown ? width - shown : 0, ' ');
  return left ? text + padding : padding + text;
}

void write_race(const Race& race, json::Writer& writer) {
  writer.begin_object().member("job", race.title).member("size", race.size);
  writer.member("bytes", static_cast<std::int64_t>(race.bytes)).key("rows").begin_array();
  for (const Measured& row : race.rows) {
    writer.begin_object().member("name", row.name);
    writer.key("microseconds").real(rounded(row.median() * 1e6));
    writer.key("times_enfold").real(rounded(race.ratio(row.name, "Enfold")));
    if (row.heap) writer.key("heap_per_input_byte").real(rounded(share(*row.heap, race.bytes)));
    writer.end_object();
  }
  writer.end_array().end_object();
}

}  // namespace

std::string to_markdown(const Race& race) {
  std::string text = fmt::format("\n### {}, {} ({} bytes)\n\n", race.title, race.size, race.bytes);
  text +=
      "| contestant                        |   CPU time |   GB/s | × memcpy | × Enfold | heap ÷ "
      "input |\n";
  text +=
      "|-----------------------------------|-----------:|-------:|---------:|---------:|-----------"
      "--:|\n";
  for (const Measured& row : race.rows) {
    const double each = row.median();
    const std::string memcpys =
        has(race, "memcpy") ? fmt::format("{:.1f}", race.ratio(row.name, "memcpy")) : "";
    const std::string heap = row.heap ? fmt::format("{:.2f}", share(*row.heap, race.bytes)) : "–";
    text += fmt::format("| {} | {} | {:6.3f} | {} | {:8.2f} | {} |\n", cell(row.name, 33, true),
                        cell(duration(each), 10), static_cast<double>(race.bytes) / each / 1e9,
                        cell(memcpys, 8), race.ratio(row.name, "Enfold"), cell(heap, 12));
  }
  return text;
}

std::string to_markdown(const std::vector<Resident>& resident) {
  std::string text = "\n### Growth of the resident set, 50 MB, each in a fresh process\n\n";
  text += "| contestant                        |    growth | ÷ input |\n";
  text += "|-----------------------------------|----------:|--------:|\n";
  for (const Resident& one : resident) {
    text += fmt::format("| {} | {:6.1f} MB | {:7.2f} |\n", cell(one.name, 33, true),
                        static_cast<double>(one.growth) / 1e6, share(one.growth, one.input));
  }
  return text;
}

std::string to_markdown(const std::vector<Target>& targets) {
  std::string text = "\n### Targets\n\n";
  text += "| target                                                       | measured |      |\n";
  text += "|--------------------------------------------------------------|---------:|------|\n";
  for (const Target& target : targets) {
    const std::string what =
        fmt::format("{} {} {}×", target.what, target.at_least ? "≥" : "≤", target.limit);
    text += fmt::format("| {} | {:7.2f}× | {} |\n", cell(what, 60, true), target.measured,
                        target.holds() ? "PASS" : "MISS");
  }
  return text;
}

std::string to_json(const Report& report) {
  json::Writer writer;
  writer.begin_object().key("races").begin_array();
  for (const Race& race : report.races) write_race(race, writer);
  writer.end_array().key("resident").begin_array();
  for (const Resident& one : report.resident) {
    writer.begin_object().member("name", one.name);
    writer.member("growth_bytes", static_cast<std::int64_t>(one.growth));
    writer.member("input_bytes", static_cast<std::int64_t>(one.input)).end_object();
  }
  writer.end_array().key("notes").begin_array();
  for (const std::string& note : report.notes) writer.string(note);
  writer.end_array().key("targets").begin_array();
  for (const Target& target : report.targets) {
    writer.begin_object().member("what", target.what);
    writer.key(target.at_least ? "at_least" : "at_most").real(target.limit);
    writer.key("measured").real(rounded(target.measured)).member("holds", target.holds());
    writer.end_object();
  }
  writer.end_array().end_object();
  const json::Value value = std::move(writer).finish_value();
  return json::pretty(value.view()) + "\n";
}

}  // namespace enfold::bench
