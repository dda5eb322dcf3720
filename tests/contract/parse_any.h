// SPDX-License-Identifier: Apache-2.0
// Reads any answer and writes it in generic, as `enfold parse` does without redaction.
#pragma once

#include "enfold/contract/contract.h"

#include <utility>

namespace enfold::contract {

struct Parsed {
  json::Output output;
  Reading reading;
};

inline Result<Parsed> parse_any(json::View document, ReadOptions options = {}) {
  options.unwrap_results = true;
  ENFOLD_TRY(Reading reading, read(detect(document, Position::wrapped), document, options));
  move_blocks_to_metadata(reading.response);
  ConvertOptions convert;
  convert.extensions = is_envelope(from_name(reading.origin.contract).value_or(Id::json));
  ENFOLD_TRY(json::Output output, write(reading, Id::generic, convert));
  return Parsed{std::move(output), std::move(reading)};
}

}  // namespace enfold::contract
