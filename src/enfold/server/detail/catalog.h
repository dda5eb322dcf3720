// SPDX-License-Identifier: Apache-2.0
// What a server offers, made ready for serving: schemas compiled, the library's own tools added,
// and the answers of the list methods. Does not change while it serves.
#pragma once

#include "enfold/budget/output_schema.h"
#include "enfold/mcp/peer/server_action.h"
#include "enfold/schema/schema.h"
#include "enfold/server/server.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace enfold::server {

/// Answers are written in this contract; nullopt: contract `none`.
using AnswerContract = std::optional<contract::Id>;
[[nodiscard]] AnswerContract answer_contract(std::string_view name);

struct OfferedTool {
  enum class Kind { author, server, fetch, upstream };  ///< upstream: of another server

  ToolSpec spec;
  Kind kind = Kind::author;
  schema::Schema input;
  std::vector<std::string> required;
  std::vector<std::string> arguments;  ///< names of those that are declared
  mcp::ParamHeaders headers;
  std::optional<budget::OutputSchema> payload;
  bool answers_in_envelope = false;  ///< of its own, and `payload` is the schema of that
  bool is_clean = false;             ///< its name and version hold nothing that looks like a secret

  /// The output schema for answers in this contract; null: none.
  [[nodiscard]] json::Value output_schema(AnswerContract contract) const;
};

class Catalog {
 public:
  /// Fails, with the tool's name, for a schema that does not compile.
  [[nodiscard]] static Result<Catalog> create(const Server& server);

  [[nodiscard]] const OfferedTool* find(std::string_view name) const;
  [[nodiscard]] const std::vector<OfferedTool>& tools() const { return tools_; }
  /// What the connections of this server say about it. The catalog must outlive it.
  [[nodiscard]] mcp::ServerConfig server_config(const Server& server) const;

  [[nodiscard]] json::Output list_tools(AnswerContract contract, mcp::Era era,
                                        bool structured = true) const;

 private:
  std::vector<OfferedTool> tools_;
};

[[nodiscard]] json::Output list_resources(const Server& server);
[[nodiscard]] json::Output list_templates(const Server& server);
[[nodiscard]] json::Output list_prompts(const Server& server);

}  // namespace enfold::server
