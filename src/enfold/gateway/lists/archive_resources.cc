// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/lists/archive_resources.h"

#include "enfold/base/text.h"
#include "enfold/serve/service.h"

#include <fmt/format.h>

namespace enfold::gateway {
namespace {

constexpr std::string_view kNextPageMeta = "dev.enfold/next";
constexpr const char* kJson = "application/json";

std::string percent_encode(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = is_alphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// At most nine digits, so that the number fits into any integer type.
bool is_whole_number(std::string_view text) {
  return !text.empty() && text.size() < 10 &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Writes the value with the type of that argument of enfold_fetch. A value that has not this type
// stays a string, so that enfold_fetch reports the error.
void write_argument(json::Writer& writer, const std::string& name, const std::string& value) {
  writer.key(name);
  const bool is_boolean = name == "stat" || name == "raw";
  if (is_boolean && (value == "true" || value == "false" || value.empty())) {
    writer.boolean(value != "false");
  } else if (name == "page_size" && is_whole_number(value)) {
    writer.integer(std::stoll(value));
  } else {
    writer.string(value);
  }
}

// The JSON-RPC error for a failure of enfold_fetch.
mcp::RpcError refusal(const model::Failure& failure, mcp::Era era, const std::string& uri) {
  mcp::RpcError error = failure.kind == model::ErrorKind::missing
                            ? mcp::resource_not_found(era, uri)
                            : mcp::invalid_params(failure.message);
  json::Writer data;
  data.begin_object().member("uri", uri);
  data.member("error_code", failure.code.empty() ? "INVALID" : failure.code);
  data.member("message", failure.message).key("remediation").begin_array();
  for (const std::string& advice : failure.remediation) data.string(advice);
  data.end_array().end_object();
  error.data = std::move(data).finish_value();
  return error;
}

}  // namespace

json::Value archive_template() {
  json::Writer writer;
  writer.begin_object().member("uriTemplate", kArchiveTemplate);
  writer.member("name", "archived answers");
  writer.member("description",
                "An answer that was cut to fit, whole or in parts, by its handle in "
                "meta.content_archive_hashes; the query is what enfold_fetch takes.");
  writer.member("mimeType", kJson).end_object();
  return std::move(writer).finish_value();
}

json::Value archive_link(std::string_view handle, std::string_view tool) {
  json::Writer writer;
  writer.begin_object().member("type", "resource_link");
  writer.member("uri", fmt::format("{}{}", kArchiveUriPrefix, handle));
  writer.member("name", fmt::format("whole answer of {}", tool));
  writer.member("mimeType", kJson).end_object();
  return std::move(writer).finish_value();
}

std::optional<json::Value> fetch_arguments(std::string_view uri) {
  if (!is_archive_uri(uri)) return std::nullopt;
  uri.remove_prefix(kArchiveUriPrefix.size());
  uri = uri.substr(0, uri.find('#'));
  const std::size_t question = uri.find('?');
  const auto handle = percent_decode(uri.substr(0, question));
  std::string_view query =
      question == std::string_view::npos ? std::string_view() : uri.substr(question + 1);
  if (!handle || handle->empty() || handle->find('/') != std::string::npos) return std::nullopt;
  json::Writer writer;
  writer.begin_object();
  std::set<std::string> seen{"handle"};  // in the path of the URI, so not allowed in the query
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const auto name = percent_decode(pair.substr(0, equals));
    const auto value = percent_decode(pair.substr(std::min(equals + 1, pair.size())));
    if (!name || !value || name->empty() || !seen.insert(*name).second) return std::nullopt;
    write_argument(writer, *name, *value);
  }
  // A cursor contains the handle already.
  if (!seen.contains("cursor")) writer.member("handle", *handle);
  writer.end_object();
  return std::move(writer).finish_value();
}

mcp::Reply read_archived_resource(const std::string& uri, mcp::Era era,
                                  const tools::FetchSource& source,
                                  const answer::FitSettings& settings) {
  const auto arguments = fetch_arguments(uri);
  if (!arguments) return mcp::resource_not_found(era, uri);
  const answer::ReadAnswer answer = tools::fetch(arguments->view(), source, settings, {});
  const model::Response& response = answer.reading.response;
  if (response.failure) return refusal(*response.failure, era, uri);
  const Result<json::Output> envelope = answer::write_envelope(answer, settings.shape);
  if (!envelope) return mcp::to_rpc_error(envelope.error());
  json::Writer writer;
  writer.begin_object().key("contents").begin_array().begin_object();
  writer.member("uri", uri).member("mimeType", kJson).member("text", envelope->str());
  if (response.page && response.page->cursor) {
    const std::string_view path = std::string_view(uri).substr(0, uri.find_first_of("?#"));
    writer.key("_meta").begin_object();
    writer.member(kNextPageMeta,
                  fmt::format("{}?cursor={}", path, percent_encode(*response.page->cursor)));
    writer.end_object();
  }
  writer.end_object().end_array().end_object();
  mcp::CompleteResult result = mcp::complete(std::move(writer).finish_value());
  result.cache = mcp::CacheHint{};
  return result;
}

void answer_archive_read(const Environment& environment, const LocalTools& local,
                         const mcp::Call& call,
                         const std::shared_ptr<serve::ClientChannel>& channel) {
  std::shared_ptr<const tools::AnswerServices> services = local.services();
  const tools::ServiceSettings& answer_settings = environment.settings.answers;
  answer::FitSettings fit;
  const tools::ClientTerms client = tools::terms_of_client(call, channel->state(), *services);
  fit.shape.contract = *client.contract;  // set: the caller has checked LocalTools::offers_archive
  fit.shape.redaction = answer_settings.redaction;
  answer::use_profile(fit, *client.profile);
  tools::apply_budget(answer_settings, fit);
  tools::FetchSource source{.archive = services->archive.get(),
                            .key = &services->key,
                            .principal = channel->state().principal,
                            .now = tools::store_time(environment.host),
                            .opened = services->opened.get()};
  const std::string uri = std::get_if<mcp::ResourceRead>(&call.params)->uri;
  const bool is_queued = serve::on_worker(
      environment.host,
      [services = std::move(services), era = call.caller->era, uri, fit = std::move(fit),
       source = std::move(source)] { return read_archived_resource(uri, era, source, fit); },
      [key = call.key, weak = std::weak_ptr(channel)](mcp::Reply reply) {
        if (const auto open = weak.lock()) open->reply(key, std::move(reply));
      });
  if (is_queued) return;
  channel->reply(call.key, mcp::RpcError{mcp::code::internal_error, "The gateway is busy", {}});
}

}  // namespace enfold::gateway
