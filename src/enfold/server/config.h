// SPDX-License-Identifier: Apache-2.0
// The configuration of a server: a JSON file, read into a struct that declares its keys with
// arguments() as a request does. Every key that is wrong is reported at once, with its place.
//   struct Config {
//     std::string database = "memory.db";
//     static constexpr auto arguments() {
//       return server::arguments(server::argument("database", &Config::database)
//                                    .describe("File of the memories").defaulted());
//     }
//   };
#pragma once

#include "enfold/server/arguments.h"
#include "enfold/tools/declare/config.h"

namespace enfold::server {

using tools::ConfigResult;
using tools::input_schema_of;
using tools::read_config;

}  // namespace enfold::server
