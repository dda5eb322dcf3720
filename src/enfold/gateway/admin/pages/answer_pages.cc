// SPDX-License-Identifier: Apache-2.0
#include "enfold/gateway/admin/pages/answer_pages.h"

#include "enfold/gateway/admin/http/values.h"
#include "enfold/gateway/admin/record/row.h"
#include "enfold/json/write.h"

namespace enfold::gateway {
namespace {

constexpr std::uint64_t kMaxRows = 1'000;
constexpr std::uint64_t kDefaultRows = 200;
constexpr bool kWasRecorded = true;  // argument of AnswerPages::Work

/// The tokens of an answer.
struct TokenFigures {
  std::uint64_t before;
  std::uint64_t after;
};

RowFilter filter_of(const AdminRequest& request) {
  return {.text = request.parameter("q"),
          .client = request.parameter("client"),
          .principal = request.parameter("principal"),
          .upstream = request.parameter("upstream"),
          .tool = request.parameter("tool"),
          .what = request.parameter("what"),  // happened to the answer: whole, cut, repaired, …
          .outcome = request.parameter("outcome"),
          .before = request.number("before", UINT64_MAX),
          .after = request.number("after", 0)};
}

net::HttpResponse not_recorded() {
  return error_reply(404, "not_found", "the answer is not recorded, or not any more",
                     "recording.bytes in the configuration is the memory for recorded answers");
}

// nullopt: the member is missing or no positive integer, so the limit is not set.
std::optional<std::size_t> size_in(json::View object, std::string_view key) {
  const auto found = object.find(key);
  const auto value = found ? found->integer() : std::nullopt;
  return value && *value > 0 ? std::optional(static_cast<std::size_t>(*value)) : std::nullopt;
}

Result<RefitSettings> refit_settings(std::string_view client, std::string_view contract_name,
                                     std::string_view level) {
  RefitSettings settings;
  if (!client.empty()) {
    ENFOLD_TRY(settings.budget.profile, token::find_profile(client));
  }
  const auto contract = contract::from_name(contract_name);
  if (!contract_name.empty() && (!contract || !contract::is_envelope(*contract))) {
    return fail(ErrorCode::invalid_input, "expected the name of a contract with an envelope",
                "contract", "GET /api/v1/session lists them");
  }
  if (contract) settings.contract = *contract;
  if (level.empty()) return settings;
  const auto named = model::from_name<model::Level>(level);
  if (!named) {
    return fail(ErrorCode::invalid_input, "expected minimal, standard or full", "level");
  }
  settings.level = *named;
  return settings;
}

Result<RefitSettings> settings_in_body(const AdminRequest& request) {
  ENFOLD_TRY(
      RefitSettings settings,
      refit_settings(request.text("client"), request.text("contract"), request.text("level")));
  if (const auto budget = request.body->find("budget"); budget && budget->is_object()) {
    settings.budget.tokens = size_in(*budget, "tokens");
    settings.budget.characters = size_in(*budget, "characters");
    settings.budget.lines = size_in(*budget, "lines");
    settings.budget.target = size_in(*budget, "target");
  }
  return settings;
}

Result<RefitSettings> settings_in_query(const AdminRequest& request) {
  ENFOLD_TRY(RefitSettings settings,
             refit_settings(request.parameter("client"), request.parameter("contract"),
                            request.parameter("level")));
  const auto number = [&](std::string_view name) {
    const std::uint64_t value = request.number(name, 0);
    return value > 0 ? std::optional<std::size_t>(value) : std::nullopt;
  };
  settings.budget.tokens = number("tokens");
  settings.budget.characters = number("characters");
  settings.budget.lines = number("lines");
  settings.budget.target = number("target");
  return settings;
}

// `is_given`: the view shows the answer as the client got it, not fitted again.
net::HttpResponse view_reply(const Result<answer::View>& view, const ViewedAnswer& answer,
                             const std::string& row, bool is_given) {
  if (!view) return error_reply(view.error());
  json::Writer writer;
  writer.begin_object().key("row").value(json::parse_own(row)).member("given", is_given);
  writer.member("has_original", has_original(answer));
  answer::write_view(writer, *view);
  writer.end_object();
  return json_reply(std::move(writer));
}

// A view that was fitted again for the page. It gets the handle of the archived original: its own
// handle is of a temporary archive (view_refitted).
net::HttpResponse fitted_reply(Result<answer::View> view, const ViewedAnswer& answer,
                               const std::string& row) {
  if (view) view->handle = answer.receipt.handle;
  return view_reply(view, answer, row, /*is_given=*/false);
}

// For what needs an original, if there is none.
net::HttpResponse no_original() {
  return error_reply(404, "unsupported", "Enfold wrote this answer itself, so there is no original",
                     "an answer that the upstream sent has one");
}

// The files of a golden test.
net::HttpResponse golden_reply(const Result<answer::View>& view, const ViewedAnswer& answer,
                               const std::string& tool) {
  if (!view) return error_reply(view.error());
  json::Writer writer;
  writer.begin_object().member("name", file_name_of(tool)).key("files").begin_object();
  writer.member("args", tool + "\n");
  writer.member("input.json", json::pretty(answer.source.view()) + "\n");
  const auto want = json::parse(json::Buffer(view->after.text));
  writer.member("want.json",
                (want ? json::pretty(want->root()) : view->after.text) + std::string("\n"));
  writer.end_object().end_object();
  return json_reply(std::move(writer));
}

}  // namespace

void AnswerPages::list(const AdminRequest& request, const Respond& respond) const {
  const RowFilter filter = filter_of(request);
  const std::uint64_t limit = std::min(request.number("limit", kDefaultRows), kMaxRows);
  json::Writer writer;
  writer.begin_object().key("answers").begin_array();
  std::uint64_t count = 0;
  bool has_more = false;
  const auto& calls = recorder_.calls();
  for (std::size_t i = calls.size(); i-- > 0;) {
    if (!filter.accepts(calls[i], recorder_)) continue;
    has_more = count == limit;
    if (has_more) break;
    write_row(writer, calls[i], recorder_);
    ++count;
  }
  writer.end_array().member("has_more", has_more).end_object();
  respond(json_reply(std::move(writer)));
}

void AnswerPages::save(const AdminRequest& request, const Respond& respond) const {
  const RowFilter filter = filter_of(request);
  net::HttpResponse response;
  for (const RecordedCall& call : recorder_.calls()) {
    if (!filter.accepts(call, recorder_)) continue;
    json::Writer writer;
    write_row(writer, call, recorder_);
    response.body += std::move(writer).finish().str() + "\n";
  }
  response.headers.add("Content-Type", "application/x-ndjson")
      .add("Content-Disposition", "attachment; filename=\"answers.jsonl\"")
      .add("Cache-Control", "no-store");
  add_security_headers(response.headers);
  respond(std::move(response));
}

std::string AnswerPages::row_of(const AdminRequest& request) const {
  const RecordedCall* const call = recorder_.find(request.id());
  json::Writer writer;
  call != nullptr ? write_row(writer, *call, recorder_) : void(writer.null());
  return std::move(writer).finish().str();
}

// An original that the recorder has dropped may still be in the archive.
void AnswerPages::with_answer(const AdminRequest& request, const Respond& respond, Work work,
                              std::function<void()> before_response) const {
  const RecordedCall* const call = recorder_.find(request.id());
  if (call == nullptr || (!call->answer && call->handle.empty())) {
    respond(not_recorded());
    return;
  }
  if (call->answer) {
    jobs_.run([answer = viewed(*call->answer),
               work = std::move(work)](const auto&) { return work(answer, kWasRecorded); },
              respond, std::move(before_response));
    return;
  }
  std::string owner = recorder_.owner_of(*call);
  // Without principals, all answers are archived for the one of the settings.
  if (owner.empty()) owner = source_.calls.environment.settings.answers.principal;
  const auto services = source_.calls.local.services();
  jobs_.run(
      [services, handle = call->handle, owner = std::move(owner),
       work = std::move(work)](const auto&) -> net::HttpResponse {
        const Result<std::string> bytes =
            services->archive->get(owner, handle, tools::store_time(*services->host));
        if (!bytes) return error_reply(bytes.error());
        // What upstreams send, and so what is archived, is always JSON.
        const auto document = json::parse(json::Buffer(*bytes), {.max_bytes = kLargestDocument});
        if (!document) return error_reply(document.error());
        ViewedAnswer answer{.source = document->value(), .receipt = {.handle = handle}};
        return work(answer, !kWasRecorded);
      },
      respond);
}

// The archive has only the original, not the plan of the call: such an answer is fitted again, with
// the settings that the row has kept. A row and its view have the same figures: counted ones of the
// row are those of the view, and estimates of the row are replaced by what the view has counted.
void AnswerPages::show(const AdminRequest& request, const Respond& respond) const {
  const RecordedCall* const call = recorder_.find(request.id());
  const RefitSettings settings = call != nullptr && call->fit ? *call->fit : RefitSettings();
  const auto counted = std::make_shared<std::optional<TokenFigures>>();
  const auto known =
      call != nullptr && call->is_exact
          ? std::optional(TokenFigures{call->weight.tokens_before, call->weight.tokens_after})
          : std::nullopt;
  with_answer(
      request, respond,
      [row = row_of(request), settings, known, counted](const ViewedAnswer& answer,
                                                        bool was_recorded) {
        if (!was_recorded) return fitted_reply(view_refitted(answer, settings), answer, row);
        Result<answer::View> view = view_as_given(answer);
        if (view && known) {
          // Of an answer that Enfold made itself there is nothing before.
          if (!view->before.text.empty()) view->before.size.tokens = known->before;
          view->after.size.tokens = known->after;
        } else if (view) {
          *counted = TokenFigures{view->before.size.tokens, view->after.size.tokens};
        }
        return view_reply(view, answer, row, true);
      },
      [&recorder = recorder_, id = request.id(), counted] {
        if (*counted) recorder.set_counted(id, (*counted)->before, (*counted)->after);
      });
}

void AnswerPages::fit(const AdminRequest& request, const Respond& respond) const {
  const Result<RefitSettings> settings = settings_in_body(request);
  if (!settings) return respond(error_reply(settings.error()));
  with_answer(request, respond,
              [row = row_of(request), settings = *settings](const ViewedAnswer& answer, bool) {
                if (!has_original(answer)) return no_original();
                return fitted_reply(view_refitted(answer, settings), answer, row);
              });
}

void AnswerPages::golden(const AdminRequest& request, const Respond& respond) const {
  const Result<RefitSettings> settings = settings_in_query(request);
  if (!settings) return respond(error_reply(settings.error()));
  const RecordedCall* const call = recorder_.find(request.id());
  const std::string tool = call != nullptr ? recorder_.tool_of(*call) : std::string();
  with_answer(request, respond, [tool, settings = *settings](const ViewedAnswer& answer, bool) {
    if (!has_original(answer)) return no_original();
    return golden_reply(view_refitted(answer, settings), answer, tool);
  });
}

}  // namespace enfold::gateway
