// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/policy/upstream_words.h"

#include "enfold/answer/provenance.h"
#include "enfold/base/text.h"
#include "enfold/json/write.h"
#include "enfold/mcp/types/overlay.h"
#include "enfold/mcp/wire/protocol.h"

#include <algorithm>
#include <fmt/format.h>

namespace enfold::gateway {
namespace {

using Channel = RedactionChannel;
using mcp::Method;

// Whether a member of a list's item is its name, which a client sends back to use the item. So it
// must not be changed.
bool names_item(json::View key) {
  return key.equals("name") || key.equals("uri") || key.equals("uriTemplate");
}

/// Writes a value with each string redacted by its content alone, whatever the name of the member.
class TextFilter {
 public:
  explicit TextFilter(const redact::Policy& policy) : policy_(policy) {}

  void write(json::Writer& writer, json::View value) {
    if (value.is_object()) {
      writer.begin_object();
      for (const json::Member& member : value.members()) {
        write_key(writer, member.key);
        write(writer, member.value);
      }
      writer.end_object();
    } else if (value.is_array()) {
      writer.begin_array();
      for (const json::View item : value.items()) write(writer, item);
      writer.end_array();
    } else if (value.is_string()) {
      write_text(writer, value);
    } else {
      writer.value(value);
    }
  }
  [[nodiscard]] bool has_changed() const { return has_changed_; }

 private:
  // nullopt: the text has no secret.
  std::optional<std::string> redacted(json::View value) {
    const std::string text = value.string();
    std::string clean = redact::redact_text(text, policy_);
    if (clean == text) return std::nullopt;
    has_changed_ = true;
    return clean;
  }
  void write_text(json::Writer& writer, json::View value) {
    if (const auto clean = redacted(value)) {
      writer.string(*clean);
    } else {
      writer.value(value);
    }
  }
  void write_key(json::Writer& writer, json::View key) {
    constexpr std::size_t kShortest = 16;  // bytes; shorter names of members are no secrets
    const auto clean = key.raw().size() < kShortest ? std::nullopt : redacted(key);
    clean ? writer.key(*clean) : writer.key(key);
  }

  const redact::Policy& policy_;
  bool has_changed_ = false;
};

// The value as TextFilter writes it.
json::Value filter_texts(json::Value value, const redact::Policy& policy) {
  TextFilter filter(policy);
  json::Writer writer;
  filter.write(writer, value.view());
  return filter.has_changed() ? std::move(writer).finish_value() : value;
}

// Writes `shown`, the redacted `original`. Members that a client sends back have their original
// value.
void write_interim(json::Writer& writer, json::View original, json::View shown) {
  mcp::Overlay overlay;
  for (const std::string_view key : {"requestState", "taskId"}) {
    if (const auto found = original.find(key)) overlay.value(key, json::Value(*found));
  }
  const auto task = mcp::object_member(original, "task");
  const auto shown_task = mcp::object_member(shown, "task");
  if (task && shown_task) {
    overlay.member("task", [&](json::Writer& out) { write_interim(out, *task, *shown_task); });
  }
  const auto tasks = original.find("tasks");
  const auto shown_tasks = shown.find("tasks");
  if (tasks && shown_tasks && tasks->is_array() && shown_tasks->is_array()) {
    overlay.member("tasks", [&](json::Writer& out) {
      out.begin_array();
      auto one = tasks->items().begin();
      for (const json::View item : shown_tasks->items()) {
        item.is_object() ? write_interim(out, *one, item) : void(out.value(item));
        ++one;
      }
      out.end_array();
    });
  }
  overlay.write(writer, shown);
}

// An item of a list, redacted.
json::Value show_item(const Settings& settings, json::View item) {
  json::Value shown = show_texts(settings, Channel::descriptions, json::Value(item));
  if (!item.is_object() || shown->raw() == item.raw()) return shown;
  json::Writer writer;
  writer.begin_object();
  for (const json::Member& member : shown->members()) {
    const auto original = names_item(member.key) ? item.find(member.key.string()) : std::nullopt;
    writer.key(member.key).value(original.value_or(member.value));
  }
  writer.end_object();
  return std::move(writer).finish_value();
}

// The result of a list method with its items redacted.
json::Value show_list(const Settings& settings, const json::Value& result) {
  bool is_same = true;
  json::Writer writer;
  writer.begin_object();
  for (const json::Member& member : result->members()) {
    writer.key(member.key);
    if (!member.value.is_array()) {
      writer.value(member.value);
      continue;
    }
    writer.begin_array();
    for (const json::View item : member.value.items()) {
      const json::Value shown = show_item(settings, item);
      is_same = is_same && shown->raw() == item.raw();
      writer.value(shown);
    }
    writer.end_array();
  }
  writer.end_object();
  return is_same ? result : std::move(writer).finish_value();
}

bool is_list_method(Method method) {
  return method == Method::tools_list || method == Method::prompts_list ||
         method == Method::resources_list || method == Method::resources_templates_list;
}

json::Value show_result(const Settings& settings, Method method, json::Value result) {
  if (!result->is_object()) return result;
  if (is_list_method(method)) {
    return answer::mark_upstream_meta(show_list(settings, result));
  }
  const bool is_prompt = method == Method::prompts_get || method == Method::complete;
  json::Value shown =
      show_value(settings, is_prompt ? Channel::prompts : Channel::resources, result);
  if (shown->raw() == result->raw()) return result;
  json::Writer writer;
  mcp::Overlay overlay;
  // The client sends these back to continue, so they must not be changed.
  for (const std::string_view key : {"nextCursor", "requestState"}) {
    if (const auto original = result->find(key)) overlay.value(key, json::Value(*original));
  }
  overlay.write(writer, shown.view());
  return std::move(writer).finish_value();
}

// Bytes. Errors are limited because they are redacted on the loop's thread and clients show them to
// users.
constexpr std::size_t kMaxErrorMessage = std::size_t{16} << 10;
constexpr std::size_t kMaxErrorData = std::size_t{256} << 10;

// Bytes at the end of a cut message that are never shown: a secret in them may have been cut, and
// then is not recognised.
constexpr std::size_t kMaxSecret = std::size_t{4} << 10;

// The message of an error, redacted and at most kMaxErrorMessage long.
std::string show_message(const Settings& settings, std::string message) {
  if (message.size() <= kMaxErrorMessage)
    return show_text(settings, Channel::errors, std::move(message));
  const std::size_t first_cut = kMaxErrorMessage + kMaxSecret;
  const bool is_cut = message.size() > first_cut;
  if (is_cut) message = utf8::shortened(message, first_cut);
  message = show_text(settings, Channel::errors, std::move(message));
  const std::size_t safe = message.size() - (is_cut ? std::min(message.size(), kMaxSecret) : 0);
  return utf8::shortened(message, std::min(safe, kMaxErrorMessage));
}

}  // namespace

const redact::Policy* policy_for(const Settings& settings, RedactionChannel channel) {
  const bool is_on =
      std::ranges::find(settings.redaction_channels, channel) != settings.redaction_channels.end();
  return is_on && settings.answers.redaction ? &*settings.answers.redaction : nullptr;
}

json::Value show_value(const Settings& settings, RedactionChannel channel, json::Value value) {
  return answer::pass_through(std::move(value), policy_for(settings, channel))
      .value_or(json::Value());
}

json::Value show_texts(const Settings& settings, RedactionChannel channel, json::Value value) {
  const redact::Policy* const policy = policy_for(settings, channel);
  if (policy == nullptr) return value;
  return filter_texts(std::move(value), *policy);
}

json::Value redact_interim(json::Value value, const redact::Policy* policy) {
  json::Value shown = answer::pass_through(value, policy).value_or(json::Value());
  if (policy == nullptr || shown->raw() == value->raw() || !shown->is_object()) return shown;
  json::Writer writer;
  write_interim(writer, value.view(), shown.view());
  return std::move(writer).finish_value();
}

std::string show_text(const Settings& settings, RedactionChannel channel, std::string text) {
  const redact::Policy* const policy = policy_for(settings, channel);
  return policy != nullptr ? redact::redact_text(text, *policy) : text;
}

void filter_reply(const Settings& settings, std::string_view method, client::CallResult& result) {
  if (result) {
    if (!is_tool_answer(method)) {
      *result = show_result(settings, mcp::method_from_name(method), std::move(*result));
    }
    return;
  }
  client::CallFailure& failure = result.error();
  failure.error.message = show_message(settings, std::move(failure.error.message));
  if (!failure.refusal) return;
  mcp::RpcError& error = *failure.refusal;
  error.message = show_message(settings, std::move(error.message));
  if (error.data && (*error.data)->raw().size() > kMaxErrorData) {
    error.message += fmt::format(" ({} bytes of data were left out)", (*error.data)->raw().size());
    error.data.reset();
  }
  if (error.data) error.data = show_value(settings, Channel::errors, std::move(*error.data));
}

serve::Log filtered_log(const Settings& settings) {
  const redact::Policy* const policy = policy_for(settings, Channel::logs);
  if (policy == nullptr) return settings.answers.log;
  return [write = settings.answers.log, policy = *policy](const serve::LogLine& line) {
    const bool is_clean =
        line.note.empty() && line.code.empty() && redact::find_secrets(line.tool, policy).empty();
    if (is_clean) return write(line);
    serve::LogLine shown = line;
    shown.tool = redact::redact_text(line.tool, policy);
    shown.note = redact::redact_text(line.note, policy);
    shown.code = redact::redact_text(line.code, policy);
    write(shown);
  };
}

}  // namespace enfold::gateway
