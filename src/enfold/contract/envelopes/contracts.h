// SPDX-License-Identifier: Apache-2.0
// The functions of each contract: detect, read, render, find the extension.
#pragma once

#include "enfold/contract/contract.h"

namespace enfold::contract::detail {

struct ReadContext {
  const ReadOptions& options;
  std::string rule;
};

using Detect = bool (*)(json::View document);
using Read = Result<model::Response> (*)(json::View document, ReadContext& context);
using Render = void (*)(const model::Response& response, const RenderOptions& options,
                        json::Writer& writer);
/// The extension that Enfold wrote into the document's extension slot (members.h), if there is one.
using FindExtension = std::optional<json::View> (*)(json::View document);

[[nodiscard]] bool detects_response_v2(json::View document);
[[nodiscard]] Result<model::Response> read_response_v2(json::View document, ReadContext& context);
void render_response_v2(const model::Response& response, const RenderOptions& options,
                        json::Writer& writer);
[[nodiscard]] std::optional<json::View> find_extension_response_v2(json::View document);

[[nodiscard]] bool detects_response_v1(json::View document);
[[nodiscard]] Result<model::Response> read_response_v1(json::View document, ReadContext& context);
void render_response_v1(const model::Response& response, const RenderOptions& options,
                        json::Writer& writer);

[[nodiscard]] bool detects_generic(json::View document);
[[nodiscard]] Result<model::Response> read_generic(json::View document, ReadContext& context);
void render_generic(const model::Response& response, const RenderOptions& options,
                    json::Writer& writer);
[[nodiscard]] std::optional<json::View> find_extension_generic(json::View document);

[[nodiscard]] bool detects_scalpel_v1(json::View document);
[[nodiscard]] Result<model::Response> read_scalpel_v1(json::View document, ReadContext& context);
void render_scalpel_v1(const model::Response& response, const RenderOptions& options,
                       json::Writer& writer);
[[nodiscard]] std::optional<json::View> find_extension_scalpel_v1(json::View document);

[[nodiscard]] bool detects_memory(json::View document);
[[nodiscard]] Result<model::Response> read_memory(json::View document, ReadContext& context);
void render_memory(const model::Response& response, const RenderOptions& options,
                   json::Writer& writer);

[[nodiscard]] bool detects_mcp(json::View document);
[[nodiscard]] Result<model::Response> read_mcp(json::View document, ReadContext& context);
void render_mcp(const model::Response& response, const RenderOptions& options,
                json::Writer& writer);

[[nodiscard]] Result<model::Response> read_json(json::View document, ReadContext& context);
void render_json(const model::Response& response, const RenderOptions& options,
                 json::Writer& writer);

}  // namespace enfold::contract::detail
