// SPDX-License-Identifier: Apache-2.0
#include "enfold/server/detail/offer_requests.h"

#include "enfold/answer/answer.h"
#include "enfold/base/text.h"
#include "enfold/server/detail/questions.h"

#include <algorithm>
#include <charconv>
#include <exception>
#include <fmt/core.h>

namespace enfold::server {
namespace {

using mcp::Method;

mcp::Era era_of(const mcp::Call& call) {
  return call.caller ? call.caller->era : mcp::Era::sessions;
}

// Answers one request by a function of the author. Used on a worker.
class OfferRequest {
 public:
  OfferRequest(const OfferLists& lists, const mcp::Call& call, Context& context,
               const tools::AnswerServices& services)
      : lists_(lists), call_(call), context_(context), services_(services) {}

  [[nodiscard]] mcp::Reply answer() {
    switch (call_.method) {
      case Method::prompts_get: return get_prompt();
      case Method::complete: return complete();
      default: return read_resource();
    }
  }

  // Logs what went wrong in the author's code. The client gets only the request id.
  [[nodiscard]] mcp::Reply failed(std::string_view event, std::string_view note) const {
    services_.settings->log({.level = serve::LogLine::Level::error,
                             .event = std::string(event),
                             .request_id = context_.request_id(),
                             .tool = subject_of(call_),
                             .note = fmt::format("{}: {}", call_.method_name,
                                                 tools::text_for_log(note, *services_.settings))});
    return mcp::RpcError{mcp::code::internal_error,
                         fmt::format("The request failed ({})", context_.request_id()),
                         std::nullopt};
  }

 private:
  [[nodiscard]] mcp::Reply read_resource();
  [[nodiscard]] mcp::Reply read(const ResourceSpec& spec, const std::string& uri,
                                const Texts& variables);
  [[nodiscard]] mcp::Reply get_prompt();
  [[nodiscard]] mcp::Reply complete() const;
  [[nodiscard]] mcp::Reply reply_to_trouble(Trouble trouble) const;

  const OfferLists& lists_;
  const mcp::Call& call_;
  Context& context_;
  const tools::AnswerServices& services_;
};

// The error for a resource that does not exist, with what the author said about it.
mcp::RpcError not_found(const mcp::Call& call, const model::Failure& failure) {
  mcp::RpcError error = mcp::resource_not_found(era_of(call), subject_of(call));
  json::Writer data;
  data.begin_object().member("uri", subject_of(call)).member("message", failure.message);
  if (!failure.remediation.empty()) {
    data.key("remediation").begin_array();
    for (const std::string& sentence : failure.remediation) data.string(sentence);
    data.end_array();
  }
  data.end_object();
  error.data = std::move(data).finish_value();
  return error;
}

// These requests have no envelope, so a failure becomes a JSON-RPC error.
mcp::Reply OfferRequest::reply_to_trouble(Trouble trouble) const {
  const bool reads_resource = call_.method == Method::resources_read;
  if (auto* needs = std::get_if<NeedsInput>(&trouble)) {
    return ask(std::move(*needs), call_, context_.facts(), services_);
  }
  if (const auto* error = std::get_if<Error>(&trouble)) {
    if (error->code == ErrorCode::not_found && reads_resource) {
      return not_found(call_, *answer::failure_of(*error).failure);
    }
    if (detail::is_internal(*error)) {
      return failed("handler_failed", answer::place_and_message(*error));
    }
    mcp::RpcError reply = mcp::to_rpc_error(*error);
    reply.message = answer::failure_of(*error).failure->message;
    return reply;
  }
  const model::Response& response = *std::get_if<model::Response>(&trouble);
  if (!response.failure) return mcp::invalid_params("The request failed");
  if (response.failure->kind == model::ErrorKind::missing && reads_resource) {
    return not_found(call_, *response.failure);
  }
  return mcp::invalid_params(response.failure->message);
}

json::Output write_content(const std::string& uri, const ResourceContent& content) {
  json::Writer writer;
  writer.begin_object().key("contents").begin_array().begin_object().member("uri", uri);
  if (!content.mime_type.empty()) writer.member("mimeType", content.mime_type);
  if (content.blob.empty()) {
    writer.member("text", content.text);
  } else {
    writer.member("blob", content.blob);
  }
  writer.end_object().end_array().end_object();
  return std::move(writer).finish();
}

json::Output write_prompt(const PromptText& prompt) {
  json::Writer writer;
  writer.begin_object();
  if (!prompt.description.empty()) writer.member("description", prompt.description);
  writer.key("messages").begin_array();
  for (const PromptMessage& message : prompt.messages) {
    writer.begin_object().member("role", message.role).member("content", message.content);
    writer.end_object();
  }
  writer.end_array().end_object();
  return std::move(writer).finish();
}

// The members of the object that are strings, by name.
Texts texts_of(json::View object) {
  Texts texts;
  for (const json::Member& member : object.members()) {
    if (member.value.is_string()) texts[member.key.string()] = member.value.string();
  }
  return texts;
}

mcp::Reply OfferRequest::read(const ResourceSpec& spec, const std::string& uri,
                              const Texts& variables) {
  Answer<ResourceContent> content = spec.read(uri, variables, context_);
  if (Trouble* trouble = content.trouble()) return reply_to_trouble(std::move(*trouble));
  ResourceContent& found = *content.response();
  if (found.mime_type.empty()) found.mime_type = spec.mime_type;
  mcp::CompleteResult result = mcp::complete(write_content(uri, found));
  result.cache = spec.cache ? spec.cache : mcp::CacheHint{};
  return result;
}

mcp::Reply OfferRequest::read_resource() {
  const std::string& uri = std::get_if<mcp::ResourceRead>(&call_.params)->uri;
  for (const Offered<ResourceSpec>& one : lists_.resources) {
    if (one.spec->uri == uri) return read(*one.spec, uri, {});
  }
  for (const Offered<TemplateSpec>& one : lists_.templates) {
    const auto variables = one.spec->uri.match(uri);
    if (variables) {
      return read(one.spec->resource, uri, Texts(variables->begin(), variables->end()));
    }
  }
  return mcp::resource_not_found(era_of(call_), uri);
}

mcp::Reply OfferRequest::get_prompt() {
  const auto& request = *std::get_if<mcp::PromptGet>(&call_.params);
  const auto found = std::ranges::find_if(
      lists_.prompts, [&](const auto& one) { return one.spec->name == request.name; });
  if (found == lists_.prompts.end()) {
    std::vector<std::string> known;
    for (const Offered<PromptSpec>& one : lists_.prompts) known.push_back(one.spec->name);
    return unknown("prompt", request.name, known);
  }
  const Texts given = texts_of(request.arguments.view());
  for (const ArgumentSpec& argument : found->spec->arguments) {
    if (argument.required && !given.contains(argument.name)) {
      return mcp::invalid_params(
          fmt::format("Invalid params: expected a text as argument {} of the prompt {}",
                      json::quote(argument.name), json::quote(request.name)));
    }
  }
  Answer<PromptText> prompt = found->spec->get(given, context_);
  if (Trouble* trouble = prompt.trouble()) return reply_to_trouble(std::move(*trouble));
  return mcp::complete(write_prompt(*prompt.response()));
}

// The arguments that completion/complete may name; nullptr: there is no such prompt or template.
const std::vector<ArgumentSpec>* arguments_of(const OfferLists& lists,
                                              const mcp::CompletionRequest& asked) {
  if (asked.target == mcp::CompletionRequest::Target::prompt) {
    for (const Offered<PromptSpec>& one : lists.prompts) {
      if (one.spec->name == asked.reference) return &one.spec->arguments;
    }
    return nullptr;
  }
  for (const Offered<TemplateSpec>& one : lists.templates) {
    if (one.spec->resource.uri == asked.reference) return &one.spec->resource.arguments;
  }
  return nullptr;
}

mcp::Reply OfferRequest::complete() const {
  const auto& asked = *std::get_if<mcp::CompletionRequest>(&call_.params);
  const std::vector<ArgumentSpec>* const arguments = arguments_of(lists_, asked);
  if (arguments == nullptr) {
    const bool prompt = asked.target == mcp::CompletionRequest::Target::prompt;
    return mcp::invalid_params(fmt::format(
        "Unknown {}: {}", prompt ? "prompt" : "resource template", json::quote(asked.reference)));
  }
  mcp::CompletionValues out;
  const auto found = std::ranges::find(*arguments, asked.argument, &ArgumentSpec::name);
  if (found != arguments->end() && found->complete) {
    out.values = found->complete(asked.value, texts_of(asked.context.view()));
  }
  out.total = static_cast<std::int64_t>(out.values.size());
  return mcp::complete(out);
}

void write_text(json::Writer& writer, std::string_view key, const std::string& text) {
  if (!text.empty()) writer.member(key, text);
}

void write_item(json::Writer& writer, const ResourceSpec& spec) {
  writer.member("uri", spec.uri).member("name", spec.name);
  write_text(writer, "description", spec.description);
  write_text(writer, "mimeType", spec.mime_type);
}

void write_item(json::Writer& writer, const TemplateSpec& one) {
  writer.member("uriTemplate", one.resource.uri).member("name", one.resource.name);
  write_text(writer, "description", one.resource.description);
  write_text(writer, "mimeType", one.resource.mime_type);
}

void write_item(json::Writer& writer, const PromptSpec& spec) {
  writer.member("name", spec.name);
  write_text(writer, "description", spec.description);
  if (spec.arguments.empty()) return;
  writer.key("arguments").begin_array();
  for (const ArgumentSpec& argument : spec.arguments) {
    writer.begin_object().member("name", argument.name);
    write_text(writer, "description", argument.description);
    if (argument.required) writer.member("required", true);
    writer.end_object();
  }
  writer.end_array();
}

// The page of a list that the cursor of the call asks for. `key`: the member of the result that
// holds the items. `size`: items on the page, at most.
template <class Spec>
mcp::Reply write_page(std::string_view key, const std::vector<Offered<Spec>>& items,
                      const mcp::Call& call, std::size_t size) {
  std::vector<std::uint64_t> numbers;
  for (const Offered<Spec>& one : items) numbers.push_back(one.number);
  const auto page = page_of(numbers, std::get_if<mcp::ListRequest>(&call.params)->cursor, size);
  if (!page) return bad_cursor();
  json::Writer writer;
  writer.begin_object().key(key).begin_array();
  for (std::size_t i = page->begin; i < page->end; ++i) {
    writer.begin_object();
    write_item(writer, *items[i].spec);
    writer.end_object();
  }
  writer.end_array();
  if (page->next) writer.member("nextCursor", *page->next);
  writer.end_object();
  return mcp::complete(std::move(writer).finish());
}

}  // namespace

mcp::Reply answer_from(const OfferLists& lists, const mcp::Call& call, Context& context,
                       const tools::AnswerServices& services) {
  OfferRequest request(lists, call, context, services);
  try {
    return request.answer();
  } catch (const std::exception& thrown) {
    return request.failed("handler_threw", thrown.what());
  } catch (...) {
    return request.failed("handler_threw", "something that is no std::exception");
  }
}

mcp::Reply list_from(const OfferLists& lists, const mcp::Call& call, std::size_t page_size) {
  switch (call.method) {
    case Method::resources_list: return write_page("resources", lists.resources, call, page_size);
    case Method::resources_templates_list:
      return write_page("resourceTemplates", lists.templates, call, page_size);
    default: return write_page("prompts", lists.prompts, call, page_size);
  }
}

mcp::Reply subscribe_to(const OfferLists& lists, const mcp::Call& call) {
  const std::string& uri = std::get_if<mcp::ResourceSubscription>(&call.params)->uri;
  const bool is_offered =
      std::ranges::any_of(lists.resources, [&](const auto& one) { return one.spec->uri == uri; }) ||
      std::ranges::any_of(lists.templates,
                          [&](const auto& one) { return one.spec->uri.match(uri).has_value(); });
  return is_offered ? mcp::Reply(mcp::empty_result()) : mcp::resource_not_found(era_of(call), uri);
}

mcp::RpcError unknown(std::string_view what, const std::string& name,
                      const std::vector<std::string>& known) {
  const std::string near = nearest_name(name, known);
  return mcp::invalid_params(near.empty() ? fmt::format("Unknown {}: {}", what, json::quote(name))
                                          : fmt::format("Unknown {}: {}, did you mean {}?", what,
                                                        json::quote(name), json::quote(near)));
}

std::string subject_of(const mcp::Call& call) {
  if (const auto* prompt = std::get_if<mcp::PromptGet>(&call.params)) return prompt->name;
  if (const auto* read = std::get_if<mcp::ResourceRead>(&call.params)) return read->uri;
  if (const auto* asked = std::get_if<mcp::CompletionRequest>(&call.params)) {
    return asked->reference;
  }
  return call.method_name;
}

std::optional<ListPage> page_of(const std::vector<std::uint64_t>& numbers,
                                const std::optional<std::string>& cursor, std::size_t size) {
  ListPage page;
  if (cursor) {
    std::uint64_t last = 0;
    const char* const end = cursor->data() + cursor->size();
    const auto parsed = std::from_chars(cursor->data(), end, last);
    if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
    page.begin =
        static_cast<std::size_t>(std::ranges::upper_bound(numbers, last) - numbers.begin());
  }
  page.end = page.begin + std::min(std::max<std::size_t>(size, 1), numbers.size() - page.begin);
  if (page.end < numbers.size()) page.next = std::to_string(numbers[page.end - 1]);
  return page;
}

mcp::RpcError bad_cursor() {
  return mcp::invalid_params("Invalid params: expected a cursor of this list");
}

}  // namespace enfold::server
