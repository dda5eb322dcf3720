// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/pages/config_pages.h"

#include "enfold/gateway/config/shown_config.h"

#include <fstream>
#include <iterator>

namespace enfold::gateway {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Redacts a text about the configuration file. This happens even if answers are not redacted.
std::string shown_config(const Environment& environment, const std::string& text) {
  return redact::redact_text(text,
                             environment.settings.answers.redaction.value_or(redact::Policy()));
}

}  // namespace

net::HttpResponse ConfigPages::reply(const std::vector<Error>& problems,
                                     std::optional<bool> was_applied) const {
  const Environment& environment = source_.calls.environment;
  const std::string& path = source_.config.path;
  const std::string text =
      path.empty() ? "" : shown_config(environment, without_secret_values(read_file(path)));
  json::Writer writer;
  writer.begin_object().member("text", text).key("path");
  path.empty() ? writer.null() : writer.string(path);
  if (was_applied) writer.member("applied", *was_applied);
  writer.key("problems").begin_array();
  for (const Error& problem : problems) {
    writer.begin_object().member("where", shown_config(environment, problem.where));
    writer.member("message", shown_config(environment, problem.message));
    writer.member("hint", shown_config(environment, problem.hint)).end_object();
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
