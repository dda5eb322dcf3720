// SPDX-License-Identifier: Apache-2.0
// An answer that is too long for any client, and the handle under which it was archived.
#pragma once

#include "enfold/json/pointer.h"

#include <fmt/format.h>
#include <string>

namespace enfold::gateway {

inline std::string long_result() {
  std::string rows;
  for (int i = 0; i < 4000; ++i) rows += fmt::format(R"({}{{"id":{}}})", i == 0 ? "" : ",", i);
  return fmt::format(R"({{"content":[],"structuredContent":{{"rows":[{}]}}}})", rows);
}

inline std::string handle_in(const json::Value& result) {
  const auto hashes = json::Pointer::parse("/structuredContent/meta/content_archive_hashes")
                          ->resolve(result.view());
  return hashes ? (*hashes->members().begin()).key.string() : "";
}

}  // namespace enfold::gateway
