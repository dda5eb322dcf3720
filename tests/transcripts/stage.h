// SPDX-License-Identifier: Apache-2.0
// A transcript is the protocol as data: its first line sets a peer up and says over what it is
// played, {"do": …} does something, {"see": …} is the next thing that comes of it. What is seen
// must be all there is. docs/internals/protocol.md lists the words. A stage is where it is played:
// the state machines alone, or the transports of the server library with a scripted service behind
// them.
#pragma once

#include "enfold/json/document.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::transcripts {

class Stage {
 public:
  Stage() = default;
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  virtual ~Stage() = default;

  virtual void act(const std::string& what, json::View line) = 0;
  /// What came instead of what the line expects; nullopt: just that.
  [[nodiscard]] virtual std::optional<std::string> see(json::View line) = 0;
  /// What has come and nobody expected; forgotten afterwards.
  [[nodiscard]] virtual std::vector<std::string> take_rest() = 0;
};

enum class Over { memory, stdio, http };
[[nodiscard]] std::string_view name(Over over);

[[nodiscard]] std::unique_ptr<Stage> memory_stage(json::View setup);
[[nodiscard]] std::unique_ptr<Stage> stdio_stage(json::View setup);
[[nodiscard]] std::unique_ptr<Stage> http_stage(json::View setup);

/// Whether the first line of a file says that it is played there.
[[nodiscard]] bool is_played(const std::string& text, Over over);
/// The list of complaints is empty when the transcript holds.
[[nodiscard]] std::vector<std::string> play(const std::string& text, Over over);
/// With what was seen in memory in place of what was expected.
[[nodiscard]] std::string rewritten(const std::string& text);

}  // namespace enfold::transcripts
