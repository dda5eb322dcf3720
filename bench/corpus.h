// SPDX-License-Identifier: Apache-2.0
// The messages that are measured: tool answers as an issue tracker gives them, a list of records
// with ids, names, prices, coordinates, dates, nested tags and prose in several scripts. The same
// bytes on every run and machine.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace enfold::bench {

/// Where in the MCP result the payload stands, and whether it names secrets.
enum class Corpus { structured, text, both, secrets };
[[nodiscard]] std::string_view name(Corpus corpus);

/// A tool result of about this many bytes, minified.
[[nodiscard]] std::string make_message(Corpus corpus, std::size_t bytes);

}  // namespace enfold::bench
