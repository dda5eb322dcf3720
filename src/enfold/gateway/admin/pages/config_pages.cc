// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/pages/config_pages.h"

#include <fstream>
#include <iterator>

namespace enfold::gateway {
namespace {

// Keys are in the file only as hashes.
std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

net::HttpResponse ConfigPages::reply(const std::vector<Error>& problems,
                                     std::optional<bool> was_applied) const {
  const Environment& environment = source_.calls.environment;
  const std::string& path = source_.config.path;
  const std::string text = path.empty() ? "" : shown(environment, read_file(path));
  json::Writer writer;
  writer.begin_object().member("text", text).key("path");
  path.empty() ? writer.null() : writer.string(path);
  if (was_applied) writer.member("applied", *was_applied);
  writer.key("problems").begin_array();
  for (const Error& problem : problems) {
    writer.begin_object().member("where", problem.where);
    writer.member("message", shown(environment, problem.message));
    writer.member("hint", problem.hint).end_object();
  }
  writer.end_array().end_object();
  return json_reply(std::move(writer));
}

void ConfigPages::show(const Respond& respond) const { respond(reply({}, std::nullopt)); }

void ConfigPages::check(const Respond& respond) const {
  if (!source_.config.check) return show(respond);
  respond(reply(source_.config.check(), std::nullopt));
}

void ConfigPages::reload(const Respond& respond) const {
  if (!source_.config.reload) {
    respond(error_reply(409, "unsupported", "this gateway was started without a configuration file",
                        "start it with enfold serve --config FILE"));
    return;
  }
  source_.config.reload([this, respond](const std::vector<Error>& problems) {
    respond(reply(problems, problems.empty()));
  });
}

}  // namespace enfold::gateway
