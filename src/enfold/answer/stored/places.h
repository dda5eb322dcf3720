// SPDX-License-Identifier: Apache-2.0
// Places in an archived answer: its payload, parts named by pointers and ranges, lines and
// characters of texts. The results are views into the payload. The archive entry keeps as its media
// type how its bytes must be read again (StoredForm), so that the payload is the same as when the
// answer was cut and places keep their meaning.
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
  /// Made by Enfold or by a typed tool (answer.h): the payload is never read as an envelope.
  bool is_made_here = false;
  friend bool operator==(const StoredForm&, const StoredForm&) = default;
};

/// "application/json; contract=mcp", "application/json; contract=json; own", "text/plain".
[[nodiscard]] std::string media_type(const StoredForm& form);
/// The form that a media type names; nullopt: it was not written by `media_type`.
[[nodiscard]] std::optional<StoredForm> read_as(std::string_view media_type);

/// Positions from 0. Both ends are included; `last` nullopt: to the end.
struct Range {
  std::size_t first = 0;
  std::optional<std::size_t> last;
  friend bool operator==(const Range&, const Range&) = default;
};

/// Which of the records that a query finds are returned: those from `offset` on, at most `size`.
/// All are counted.
struct Window {
  std::size_t offset = 0;
  std::size_t size = SIZE_MAX;
  [[nodiscard]] bool holds(std::size_t position) const {
    return position >= offset && position - offset < size;
  }
};

/// Reads "3..17", "3..", "..17" or "4"; nullopt: no such text. `last` may be less than `first`.
[[nodiscard]] std::optional<Range> read_range(std::string_view text);
[[nodiscard]] std::string to_text(const Range& range);

/// An archived answer, opened: the tool's whole result and the payload inside it.
struct ArchivedAnswer {
  json::Value result;
  json::Value payload;
  bool was_cut = false;        ///< by the server that made it, before it was archived here
  std::string uncut_handle{};  ///< that server's handle of the uncut answer; empty: it named none
};
/// Opens what the archive has stored. `form` nullopt: it is detected.
[[nodiscard]] Result<ArchivedAnswer> open_archived(json::View archived,
                                                   std::optional<StoredForm> form,
                                                   const Limits& limits);

/// Opens an answer of a typed tool or of Enfold (StoredForm::is_made_here): `result` is the
/// payload, or the MCP result around it if `id` is `mcp` (make_document).
[[nodiscard]] ArchivedAnswer open_typed_answer(contract::Id id, json::Value result);

/// Opens any other answer; `response` was read from `result`.
[[nodiscard]] ArchivedAnswer open_foreign_answer(const model::Response& response, contract::Id id,
                                                 json::Value result);

/// A place for `locate` and for lists of dropped ids. `pointer` leads into the tool's whole result.
/// The place has "/result" in front, repeated until it means nothing in the payload; `content` and
/// `structuredContent` need no "/result" unless the payload has such a place.
[[nodiscard]] std::string place_in_result(const ArchivedAnswer& opened, const std::string& pointer);

/// A place that was found.
struct Place {
  std::string pointer;  ///< accepted again by `locate`
  json::View value;
  std::optional<Range> lines;  ///< of a string: only these lines, from 0; nullopt: all of `value`
  bool is_record = true;       ///< set by retrieve/; false: a page shows its pointer too
  bool is_named = false;       ///< found by `*` in an object: its name is the pointer's last token
};

/// Counts places as they are found, and holds those of one window, in order.
class Hits {
 public:
  explicit Hits(Window window) : window_(window) {}
  /// Counts one place. Calls `make` to get it only if the window holds it.
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

/// `locate` calls it with each place that it finds, in the order of the answer.
using UsePlace = std::function<void(const Place&)>;

/// What a pointer led to.
struct Reached {
  std::size_t total = 0;  ///< places that were found; 1 unless `several`
  /// The pointer has `*` or a range of items, so it means a list of any length. A range of lines is
  /// one place.
  bool several = false;
  /// A text that ends before the first line that the pointer asks for; `lines` is what it asks for.
  /// If nothing else was found, `locate` returns an error; else the caller can ignore it.
  std::optional<Place> beyond;
};

/// Finds the places that a pointer names. It is looked up in the payload; then with the names that
/// an envelope puts around the payload (`items`, `text`, `data` …); then in the tool's result.
/// `raw_result`: only in the tool's result. Fails with `not_found` if there is no place; but a
/// pointer to all items (`*`) of an empty list succeeds without a place.
[[nodiscard]] Result<Reached> locate(const ArchivedAnswer& opened, const std::string& pointer,
                                     bool raw_result, const UsePlace& use);

/// Offsets at which lines begin; the line feed belongs to the line that it ends. Empty text: none.
[[nodiscard]] std::vector<std::size_t> line_starts(std::string_view text);
/// The lines of a range with last >= first; empty if it begins after the last line.
[[nodiscard]] std::string_view lines_of(std::string_view text, const Range& range);
/// The same, for a caller that has the result of `line_starts`.
[[nodiscard]] std::string_view lines_of(std::string_view text,
                                        const std::vector<std::size_t>& starts, const Range& range);
/// The code points of a range; empty if it begins after the last one.
[[nodiscard]] std::string_view characters_of(std::string_view text, const Range& range);

/// The error `not_found` for a range beyond the end. There are `count` parts, counted from `from`;
/// `what` names them: "lines".
[[nodiscard]] tl::unexpected<Error> beyond_end(const Range& range, std::size_t from,
                                               std::size_t count, std::string_view what,
                                               const std::string& pointer);

}  // namespace enfold::answer
