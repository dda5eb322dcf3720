// SPDX-License-Identifier: Apache-2.0
// What a server needs from the user's side before it can answer: elicitation, sampling, roots.
// In the stateless era they travel inside a result, `input_required`, and the client asks again
// (multi round-trip requests); in sessions they are requests of the server. Here they have one
// form, and the peers translate.
#pragma once

#include "enfold/mcp/types/capabilities.h"
#include "enfold/mcp/wire/message.h"
#include "enfold/mcp/wire/method.h"

#include <optional>
#include <string>
#include <vector>

namespace enfold::mcp {

struct InputRequest {
  std::string key;  ///< the server's name for the answer
  std::string method;
  json::Value params;  ///< null: none
  friend bool operator==(const InputRequest&, const InputRequest&) = default;
};

struct InputRequired {
  std::vector<InputRequest> requests;
  std::optional<std::string> state;  ///< opaque, comes back as it was
  json::Value original;              ///< the result it was read from; null when it was made here
};

/// One answer: the bare result of the request with this key.
struct InputResponse {
  std::string key;
  json::Value result;
  friend bool operator==(const InputResponse&, const InputResponse&) = default;
};

/// What a client sends along when it asks again.
struct InputResponses {
  std::vector<InputResponse> responses;
  std::optional<std::string> state;

  [[nodiscard]] const json::Value* find(std::string_view key) const;
  [[nodiscard]] bool any() const { return !responses.empty() || state.has_value(); }
  friend bool operator==(const InputResponses&, const InputResponses&) = default;
};

/// From the params of a request. Members that are no objects are ignored.
[[nodiscard]] InputResponses read_input_responses(json::View params);
/// Members `inputResponses` and `requestState` into open params.
void write_input_responses(json::Writer& writer, const InputResponses& inputs);

/// From a result with resultType "input_required".
[[nodiscard]] Result<InputRequired> read_input_required(json::View result);
/// resultType, inputRequests and requestState into an open result.
void write_input_required(json::Writer& writer, const InputRequired& required);

/// The capabilities that a client must have declared for this; null when it has, or when the
/// method is none that the protocol knows.
[[nodiscard]] json::Value missing_for(const InputRequest& request, const Capabilities& client);

/// elicitation/create in form mode; `schema` is the requestedSchema.
[[nodiscard]] InputRequest ask_form(std::string key, std::string_view message, json::View schema);
/// elicitation/create in url mode.
[[nodiscard]] InputRequest ask_url(std::string key, std::string_view message, std::string_view url,
                                   std::string_view elicitation_id);
[[nodiscard]] InputRequest ask_roots(std::string key);
/// sampling/createMessage with these params.
[[nodiscard]] InputRequest ask_sampling(std::string key, json::Value params);

/// What the user said to an elicitation.
enum class ElicitAction { accept, decline, cancel };
struct Elicited {
  ElicitAction action = ElicitAction::cancel;
  json::Value content;  ///< null unless accepted
};
[[nodiscard]] std::optional<Elicited> read_elicited(json::View result);
/// Content for a form, completed with the defaults that the schema declares.
[[nodiscard]] json::Value with_defaults(json::View requested_schema, json::View content);

struct Root {
  std::string uri;
  std::optional<std::string> name;
  friend bool operator==(const Root&, const Root&) = default;
};
[[nodiscard]] std::vector<Root> read_roots(json::View result);
[[nodiscard]] json::Value write_roots(const std::vector<Root>& roots);

}  // namespace enfold::mcp
