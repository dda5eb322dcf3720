// SPDX-License-Identifier: Apache-2.0
// One HTTP message read by Boost.Beast's parser: the second opinion on ours.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace enfold::fuzz {

struct HttpReading {
  bool refused = false;
  bool complete = false;
  int status = 0;
  std::string method;
  std::string target;
  std::vector<std::pair<std::string, std::string>> fields;
  std::string body;
  std::size_t used = 0;

  friend bool operator==(const HttpReading&, const HttpReading&) = default;
};

[[nodiscard]] HttpReading read_request_with_beast(std::string_view bytes);
/// With `ended` the connection is closed behind the bytes.
[[nodiscard]] HttpReading read_response_with_beast(std::string_view bytes, bool ended);

}  // namespace enfold::fuzz
