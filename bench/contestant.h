// SPDX-License-Identifier: Apache-2.0
// One way to do a job on one message, ready to be timed, weighed and asked for its output.
#pragma once

#include "enfold/json/document.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace enfold::bench {

/// `shape` makes a result with a response-v2 envelope out of a result with structured content,
/// `shape_text` out of one with JSON in its text, `parse` only reads and checks.
enum class Job { shape, shape_text, parse };

/// The libraries that build a tree. The result is always made in full; `out` keeps it unless null.
using TreeJob = void (*)(Job job, std::string_view message, std::string* out);
void with_boost_json(Job job, std::string_view message, std::string* out);
void with_rapid_json(Job job, std::string_view message, std::string* out);
void with_nlohmann(Job job, std::string_view message, std::string* out);

/// Takes the message over, as a gateway hands over the buffer that it read into; bytes written.
using OwningJob = std::function<std::size_t(json::Buffer message)>;

struct Contestant {
  std::string name;
  /// CPU seconds of one run, averaged over `times`; the input is ready before the clock starts.
  std::function<double(std::size_t times)> seconds_each;
  std::function<std::string()> output;     ///< empty: nothing to compare
  std::function<std::size_t()> peak_heap;  ///< beyond the input; empty: not to be had
};

[[nodiscard]] Contestant copying(std::string_view message);
[[nodiscard]] Contestant tree(std::string name, TreeJob tree_job, Job job,
                              std::string_view message);
[[nodiscard]] Contestant owning(std::string name, OwningJob job, std::string_view message,
                                std::function<std::string()> output = {});

/// Time that this thread computed: on a shared machine the clock on the wall counts neighbours.
[[nodiscard]] double thread_seconds();

}  // namespace enfold::bench
