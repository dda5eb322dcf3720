// SPDX-License-Identifier: Apache-2.0
// What the official conformance suite of the protocol asks a server for, by subject.
#pragma once

#include "enfold/server/server.h"

#include <string_view>

namespace conformance {

/// A picture of one pixel and a sound of one sample.
inline constexpr std::string_view kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJg"
    "gg==";
inline constexpr std::string_view kWav =
    "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQIAAACAgA==";

void add_content_tools(enfold::server::Server& server);
void add_session_tools(enfold::server::Server& server);  ///< elicitation and sampling, 2025
void add_input_tools(enfold::server::Server& server);    ///< several round trips, 2026
void add_task_tools(enfold::server::Server& server);     ///< the tasks extension, 2026
void add_resources(enfold::server::Server& server);
void add_prompts(enfold::server::Server& server);

}  // namespace conformance
