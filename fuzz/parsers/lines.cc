// SPDX-License-Identifier: Apache-2.0
// Any bytes as lines: the lines do not depend on how the bytes are split, none is longer than the
// limit, and a longer one is reported once. The first byte chooses the size of the pieces.
#include "enfold/net/line_channel.h"
#include "fuzz/check.h"

#include <string>
#include <vector>

namespace enfold::fuzz {
namespace {

constexpr std::size_t kMostBytes = 24;

std::vector<std::string> lines_of(std::string_view bytes, std::size_t piece) {
  std::vector<std::string> seen;
  net::LineEvents events;
  events.on_line = [&](std::string_view line) { seen.push_back("line " + std::string(line)); };
  events.on_noise = [&](const Error&) { seen.emplace_back("noise"); };
  events.on_oversize = [&](const Error&, std::string_view beginning) {
    seen.push_back("long " + std::string(beginning));
  };
  events.on_skipped = [&](std::string_view end) { seen.push_back("end " + std::string(end)); };
  net::LineReader reader(kMostBytes);
  const bool stopped = false;
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    reader.feed(bytes.substr(at, piece), events, stopped);
  seen.push_back("rest " + std::string(reader.rest()));
  if (!reader.finish()) seen.emplace_back("inside a line");
  return seen;
}

void check(std::string_view input) {
  if (input.empty()) return;
  const std::size_t piece = 1U + static_cast<unsigned char>(input.front()) % 16U;
  const std::string_view bytes = input.substr(1);
  const std::vector<std::string> whole = lines_of(bytes, bytes.size() + 1);
  require(lines_of(bytes, piece) == whole, "splits do not matter", input);
  std::size_t begun = 0;
  for (const std::string& event : whole) {
    const bool line = event.starts_with("line ");
    require(!line || (event.size() > 5 && event.size() <= 5 + kMostBytes), "a limit is kept",
            input);
    require(event.find('\n') == std::string::npos || event.starts_with("end "), "one line", input);
    begun += event.starts_with("long ") ? 1U : 0U;
    if (event.starts_with("end ")) require(begun-- == 1, "an end has a beginning", input);
  }
}

}  // namespace
}  // namespace enfold::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  enfold::fuzz::check(enfold::fuzz::text_of(data, size));
  return 0;
}
