// SPDX-License-Identifier: Apache-2.0
// Finds in an archived answer what a query asks for. The archived bytes are the `result` of a tool
// call; places are those of the payload inside it, as it was shown. Every value that comes back is
// verbatim. Pure and linear in the answer.
#pragma once

#include "enfold/base/limits.h"
#include "enfold/base/result.h"
#include "enfold/json/document.h"
#include "enfold/retrieve/failure.h"
#include "enfold/retrieve/query.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::retrieve {

struct Match {
  std::string pointer;              ///< of the record; retrieves it again
  std::optional<std::size_t> line;  ///< of a text, from 1
  bool is_record = true;            ///< else a line or a member outside of lists
  friend bool operator==(const Match&, const Match&) = default;
};

/// What `value` is made of, and so what a page of it is.
enum class Unit { single, records, members, lines };

struct Found {
  json::Value value;
  Unit unit = Unit::single;
  std::size_t total = 1;  ///< records, members or lines; of records that were picked all there are
  std::size_t first = 0;  ///< the position of the first record that was picked and is in `value`
  std::string pointer;    ///< of `value`, when it stands in the answer as it is
  /// When `value` is lines of a text and `pointer` ends in their range: the first of them, from 0.
  std::optional<std::size_t> first_line;
  std::vector<Match> matches;        ///< one for each record in `value`, when they were picked
  std::vector<std::string> missing;  ///< ids that no record has, beside others that were found
};

/// `not_found` for a place, a position or ids that are not there; `invalid_input` for a query that
/// does not suit the answer. A search or a condition without a match is an empty list. Of records
/// that were picked only those of the window are held, however many there are.
[[nodiscard]] Result<Found> retrieve(json::View archived, const Query& query,
                                     const Limits& limits = {}, answer::Window window = {});

/// The bytes as they were archived, to be read as `media_type` of the archive's entry says; empty:
/// by what they look like.
[[nodiscard]] Result<Found> retrieve_bytes(std::string_view archived, std::string_view media_type,
                                           const Query& query, const Limits& limits = {},
                                           answer::Window window = {});

/// An archived text that is no JSON. Its records are its lines.
[[nodiscard]] Result<Found> retrieve_text(std::string_view archived, const Query& query,
                                          answer::Window window = {});

}  // namespace enfold::retrieve
