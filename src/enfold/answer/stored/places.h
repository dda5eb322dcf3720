// SPDX-License-Identifier: Apache-2.0
// Places in an archived answer: its payload, parts named by pointers and ranges, lines and
// characters of texts. The results are views into the payload. How archived bytes are read again
// (StoredForm) is kept as the media type of the archive entry: by the rule that found the payload
// when the answer was cut, so that places keep their meaning.
#pragma once

#include "enfold/base/limits.h"
#include "enfold/base/result.h"
#include "enfold/contract/contract.h"
#include "enfold/json/document.h"
#include "enfold/json/pointer.h"
#include "enfold/model/response.h"

#include <functional>

namespace enfold::answer {

struct StoredForm {
  contract::Id contract = contract::Id::json;
  bool own = false;  ///< made by a typed tool: the payload is never read as an envelope
  friend bool operator==(const StoredForm&, const StoredForm&) = default;
};

/// "application/json; contract=mcp", "text/plain".
[[nodiscard]] std::string media_type(const StoredForm& read);
/// nullopt: not written by `media_type`.
[[nodiscard]] std::optional<StoredForm> read_as(std::string_view media_type);

/// Both ends are included; `last` nullopt: to the end.
struct Range {
  std::size_t first = 0;
  std::optional<std::size_t> last;
  friend bool operator==(const Range&, const Range&) = default;
};

/// The part of the records found by a query that is returned. All are counted.
struct Window {
  std::size_t offset = 0;
  std::size_t size = SIZE_MAX;
  [[nodiscard]] bool holds(std::size_t position) const {
    return position >= offset && position - offset < size;
  }
};

/// "3..17", "3..", "..17", "4".
[[nodiscard]] std::optional<Range> read_range(std::string_view text);
[[nodiscard]] std::string to_text(const Range& range);

/// An archived answer, opened: the tool's whole result and the payload inside it.
struct ArchivedAnswer {
  json::Value result;
  json::Value payload;
};
/// `read` nullopt: the form is detected.
[[nodiscard]] Result<ArchivedAnswer> open_archived(json::View archived,
                                                   std::optional<StoredForm> read,
                                                   const Limits& limits);

/// Opens an answer of a typed tool: a payload, or the MCP result around one.
[[nodiscard]] ArchivedAnswer open_own(contract::Id id, json::Value result);

/// Opens an answer that was read already.
[[nodiscard]] ArchivedAnswer opened_as(const model::Response& response, contract::Id id,
                                       json::Value result);

/// The pointer of something in the tool's whole result, as `locate` and a list of dropped ids take
/// it: with "/result" in front as often as it takes not to be a place in the payload.
[[nodiscard]] std::string place_in_result(const ArchivedAnswer& opened, const std::string& pointer);

struct Place {
  std::string pointer;  ///< accepted again by `locate`
  json::View value;
  std::optional<Range> lines;  ///< of a string: only these, from 0
  bool is_record = true;       ///< else a line or a member that was found outside of lists
  bool is_named = false;       ///< a member of a map: its name is the last token of the pointer
};

/// The hits of one window, in order.
class Hits {
 public:
  explicit Hits(Window window) : window_(window) {}
  /// `make` gives the place, and is called only for one that is held.
  template <class Make>
  void add(Make make) {
    if (window_.holds(total_++)) held_.push_back(make());
  }
  [[nodiscard]] std::size_t total() const { return total_; }
  [[nodiscard]] const std::vector<Place>& held() const { return held_; }

 private:
  Window window_;
  std::size_t total_ = 0;
  std::vector<Place> held_;
};

using UsePlace = std::function<void(const Place&)>;

struct Reached {
  std::size_t total = 0;
  bool several = false;         ///< the pointer held `*` or a range: a list, even of one or none
  std::optional<Place> beyond;  ///< a text that ends before the lines asked for
};

/// Payload first; then the names that an envelope wraps around it (`items`, `text`, `data` …);
/// then the tool's result. `raw_result`: only there. In the order of the answer.
[[nodiscard]] Result<Reached> locate(const ArchivedAnswer& opened, const std::string& pointer,
                                     bool raw_result, const UsePlace& use);

/// Offsets of the beginnings of the lines; a line owns the line feed that ends it.
[[nodiscard]] std::vector<std::size_t> line_starts(std::string_view text);
/// Lines from 0; empty behind the end.
[[nodiscard]] std::string_view lines_of(std::string_view text, const Range& range);
/// The same with the beginnings known.
[[nodiscard]] std::string_view lines_of(std::string_view text,
                                        const std::vector<std::size_t>& starts, const Range& range);
[[nodiscard]] std::string_view characters_of(std::string_view text, const Range& range);

/// `not_found` for a range behind the `count` parts that there are, which begin at `from`.
[[nodiscard]] tl::unexpected<Error> beyond_end(const Range& range, std::size_t from,
                                               std::size_t count, std::string_view what,
                                               const std::string& pointer);

}  // namespace enfold::answer
