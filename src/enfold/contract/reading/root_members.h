// SPDX-License-Identifier: Apache-2.0
// The members at the root of an answer that say how the call went, and what is beside them.
#pragma once

#include "enfold/json/document.h"

#include <optional>
#include <string>

namespace enfold::contract::detail {

/// The members at the root of an answer, by their meaning. An empty key: there is no such member.
struct Root {
  std::string success;        ///< the key of a `success` or `ok` that is true
  std::string failure;        ///< the key of a `success` or `ok` that is false
  std::string error;          ///< the key of an `error` or `errors` that is not empty
  std::string mark;           ///< the key of another member that marks a failure
  std::string status;         ///< the key of a `status` that is the code of a failed request
  bool has_identity = false;  ///< an id or a name: the answer is about a thing
  bool has_text = false;      ///< a message, for people
  bool has_content = false;   ///< a member that is not empty, and is no part of a failure
  int scalars = 0;            ///< number of members with content that are texts or numbers, no ids
  bool is_state = false;      ///< `mark` is a state such as "failed", and no code or HTTP status
  bool has_id = false;        ///< a member `id`, which may be that of the failure
};
[[nodiscard]] Root read_root(json::View object);

/// The object in `status`, `meta` or `header` that says that the request failed: {"status":
/// {"code": 401, "user_message": …}}, {"meta": {"rc": "error"}}; nullopt: none.
[[nodiscard]] std::optional<json::View> failed_status_object(json::View object);

/// The object in {"Envelope": {"Body": …}}; nullopt: `object` has another form.
[[nodiscard]] std::optional<json::View> soap_body(json::View object);

/// The result of the only mutation in {"data": {"productUpdate": {…}}}; nullopt: there is none, or
/// the data are something else.
[[nodiscard]] std::optional<json::View> mutation_result(json::View data);
/// The errors in the result of a mutation, such as `userErrors`; nullopt: none.
[[nodiscard]] std::optional<json::View> mutation_errors(json::View data);

}  // namespace enfold::contract::detail
