// SPDX-License-Identifier: Apache-2.0
#include "tests/transcripts/line.h"
#include "tests/transcripts/stage.h"

#include <array>
#include <deque>
#include <sstream>

namespace enfold::transcripts {
namespace {

constexpr std::array<std::string_view, 3> kNames{"memory", "stdio", "http"};

// Without a word about it a line is played everywhere that its file is.
bool is_for(json::View line, Over over) {
  const auto places = line.find("over");
  if (!places) return true;
  for (const json::View place : places->items()) {
    if (place.equals(name(over))) return true;
  }
  return false;
}

std::unique_ptr<Stage> stage_for(Over over, json::View setup) {
  switch (over) {
    case Over::memory: return memory_stage(setup);
    case Over::stdio: return stdio_stage(setup);
    case Over::http: break;
  }
  return http_stage(setup);
}

}  // namespace

std::string_view name(Over over) { return kNames[static_cast<std::size_t>(over)]; }

bool is_played(const std::string& text, Over over) {
  const auto head = json::parse(std::string_view(text).substr(0, text.find('\n')));
  return head && head->root().find("over") && is_for(head->root(), over);
}

std::vector<std::string> play(const std::string& text, Over over) {
  std::vector<std::string> complaints;
  std::istringstream lines(text);
  std::unique_ptr<Stage> stage;
  std::size_t number = 0;
  const auto complain = [&](const std::string& what) {
    complaints.push_back("line " + std::to_string(number) + ": " + what);
  };
  const auto nothing_is_left = [&] {
    for (const std::string& left : stage->take_rest()) complain("not in the transcript: " + left);
  };
  for (std::string source; std::getline(lines, source);) {
    ++number;
    if (source.empty()) continue;
    const auto document = json::parse(source);
    if (!document) {
      complain(document.error().message);
      break;
    }
    const json::View line = document->root();
    if (!stage) {
      stage = stage_for(over, line);
    } else if (!is_for(line, over)) {
      continue;
    } else if (line.find("do")) {
      nothing_is_left();
      stage->act(text_at(line, "do"), line);
    } else if (const auto found = stage->see(line)) {
      complain("expected " + source + "\n     found " + *found);
    }
  }
  if (!stage) return {"an empty transcript"};
  nothing_is_left();
  return complaints;
}

std::string rewritten(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  std::unique_ptr<Stage> stage;
  std::deque<std::string> before;  // what was expected here; a line that still holds stays as it is
  const auto take_seen = [&] {
    if (!stage) return;
    for (const std::string& seen : stage->take_rest()) {
      while (!before.empty() && !is_for(json::parse_own(before.front()).view(), Over::memory)) {
        out += before.front() + "\n";
        before.pop_front();
      }
      const bool holds = !before.empty() &&
                         same(json::parse_own(before.front()).view(), json::parse_own(seen).view());
      out += (holds ? before.front() : seen) + "\n";
      if (!before.empty()) before.pop_front();
    }
    for (const std::string& rest : before) {
      if (!is_for(json::parse_own(rest).view(), Over::memory)) out += rest + "\n";
    }
    before.clear();
  };
  for (std::string source; std::getline(lines, source);) {
    const auto document = json::parse(source);
    if (!document) continue;
    const json::View line = document->root();
    if (line.find("see")) {
      before.push_back(source);
      continue;
    }
    take_seen();
    out += source + "\n";
    if (!stage) {
      stage = memory_stage(line);
    } else if (is_for(line, Over::memory)) {
      stage->act(text_at(line, "do"), line);
    }
  }
  take_seen();
  return out;
}

}  // namespace enfold::transcripts
