// SPDX-License-Identifier: Apache-2.0
// What a gateway notes of its calls, for the log and for whoever watches it.
#include "enfold/gateway/gateway.h"
#include "enfold/gateway/observe/token_estimate.h"
#include "enfold/model/content.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace enfold::gateway {
namespace {

constexpr std::size_t kMostTold = 100;

// The name under which the gateway's own tools are counted.
constexpr const char* kOwn = "enfold";
// The only upstream of a command line has no name.
constexpr const char* kUnnamed = "upstream";

std::string_view counted(std::string_view upstream) {
  return upstream.empty() ? std::string_view(kUnnamed) : upstream;
}

std::uint64_t in_proportion(std::uint64_t bytes, std::uint64_t tokens, std::uint64_t of_bytes) {
  const double each = static_cast<double>(tokens) / static_cast<double>(of_bytes);
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(bytes) * each));
}

std::uint64_t size_of(const mcp::Reply& reply) {
  const auto* complete = std::get_if<mcp::Complete>(&reply);
  if (complete == nullptr) return 0;
  if (const auto* value = std::get_if<json::Value>(&complete->object)) {
    return value->view().raw().size();
  }
  const auto* written = std::get_if<json::Output>(&complete->object);
  return written != nullptr ? written->size() : 0;
}

// Short answers are not counted on their way, for that is dear; here some of them is enough.
std::uint64_t tokens_of(const mcp::Reply& reply, const token::Tokenizer& tokenizer) {
  const auto* complete = std::get_if<mcp::Complete>(&reply);
  if (complete == nullptr) return 0;
  if (const auto* value = std::get_if<json::Value>(&complete->object)) {
    return about_tokens_of_result(value->view(), tokenizer);
  }
  const auto* written = std::get_if<json::Output>(&complete->object);
  if (written == nullptr) return 0;
  const std::string text = written->str();
  const auto read = json::parse(text);
  return read ? about_tokens_of_result(read->root(), tokenizer) : 0;
}

serve::LogLine line_of(const ToolAnswering& about, std::string_view outcome,
                       std::string_view code) {
  serve::LogLine line;
  line.event = "call";
  line.request_id = about.plan.request_id;
  line.tool = about.tool->spec.name;
  line.outcome = outcome;
  line.code = code;
  line.duration = about.duration;
  line.upstream = about.upstream;
  line.principal = about.plan.principal;
  line.trace_id = about.trace_id;
  line.weight = about.weight;
  return line;
}

}  // namespace

tools::ServiceSettings Gateway::own_settings(tools::ServiceSettings answers) {
  answers.log = [this](const serve::LogLine& line) {
    serve::LogLine own = line;
    own.upstream = kOwn;
    note(own);
  };
  return answers;
}

std::optional<TraceContext> Gateway::step_of(const mcp::Call& call) {
  auto trace = trace_of(call);
  if (!trace) return std::nullopt;
  std::array<std::uint8_t, 8> chance{};
  host_.fill_random(chance);
  return next_step(std::move(*trace), chance);
}

// Where no list was seen, as without a contract, a tool is known when it has answered.
bool Gateway::is_counted_by_name(const serve::LogLine& call) const {
  if (metrics_.find(counted(call.upstream), call.tool) != nullptr) return true;
  const auto found = std::ranges::find_if(
      upstreams_, [&](const auto& one) { return one->settings.name == call.upstream; });
  if (found == upstreams_.end()) return call.upstream == kOwn;
  const ToolTable& tools = (*found)->tools;
  return tools.is_empty() ? call.outcome != "failed" && call.outcome != "refused"
                          : tools.has(call.tool);
}

void Gateway::note(const serve::LogLine& line) {
  if (line.event == "call" && is_counted_by_name(line)) {
    metrics_.record(counted(line.upstream), line);
  } else if (line.event == "call") {
    serve::LogLine unknown = line;
    unknown.tool = Metrics::kUnknown;
    metrics_.record(counted(line.upstream), unknown);
  }
  settings_.answers.log(line);
}

void Gateway::weigh(json::View result, ToolAnswering& about) const {
  if (!about.weighs) return;
  about.weight.bytes_in = result.raw().size();
  about.weight.tokens_before = about_tokens_of_result(result, *about.plan.fit.tokenizer);
}

// Counting would be the dearest part of a small answer. Once a tool is known, most of its small
// answers are taken to be like those before.
void Gateway::weigh_small(json::View result, ToolAnswering& about) const {
  constexpr std::uint64_t kOneOf = 16;
  if (!about.weighs) return;
  const ToolCounts* const known = metrics_.find(counted(about.upstream), about.tool->spec.name);
  const bool enough = known != nullptr && known->calls > kOneOf && known->calls % kOneOf != 0 &&
                      known->weight.bytes_in > 0 && known->weight.bytes_out > 0;
  if (!enough) {
    weigh(result, about);
    return;
  }
  about.like = &known->weight;
  about.weight.bytes_in = result.raw().size();
  about.weight.tokens_before =
      in_proportion(about.weight.bytes_in, known->weight.tokens_before, known->weight.bytes_in);
}

void Gateway::note_call(const ToolAnswering& about, const tools::ToolReply& concluded) {
  serve::LogLine line = line_of(about, answer::name(concluded.outcome), concluded.code);
  if (about.plan.contract) line.fidelity = model::name(concluded.fidelity);
  line.weight.archived_bytes = concluded.archived_bytes;
  if (about.weighs) {
    line.weight.bytes_out = size_of(concluded.reply);
    line.weight.tokens_after =
        concluded.tokens > 0 ? concluded.tokens
        : about.like != nullptr
            ? in_proportion(line.weight.bytes_out, about.like->tokens_after, about.like->bytes_out)
            : tokens_of(concluded.reply, *about.plan.fit.tokenizer);
  }
  note(line);
}

// Passed as it is: nobody has read it, so only what stands on its face is known.
void Gateway::note_passed(ToolAnswering& about, const client::CallResult& result) {
  std::string_view outcome = "refused";
  if (result) {
    const bool asks = mcp::result_type(result->view()) == mcp::ResultType::input_required;
    const bool failed = model::is_failed_result(result->view());
    outcome = asks ? "input_required" : failed ? "failed" : "ok";
    weigh_small(result->view(), about);
  }
  serve::LogLine line = line_of(about, outcome, {});
  line.weight.bytes_out = line.weight.bytes_in;
  line.weight.tokens_after = line.weight.tokens_before;
  note(line);
}

void Gateway::tell_of_list(const Upstream& upstream, std::string_view event,
                           const std::string& note) {
  const std::string key = upstream.settings.name + ": " + note;
  if (told_.size() >= kMostTold || !told_.insert(key).second) return;
  settings_.answers.log({.level = serve::LogLine::Level::warning,
                         .event = std::string(event),
                         .note = note,
                         .upstream = upstream.settings.name});
}

// Nobody sees the tools at the end of a list that is too long for the client; the operator is told
// once which they are.
void Gateway::tell_left_out(const mcp::Call& call, const std::vector<std::string>& names,
                            std::size_t most) {
  if (names.empty()) return;
  std::string note =
      fmt::format("{} tools are more than {} takes ({}), left out: {}", most + names.size(),
                  call.caller->client_name(), most, fmt::join(names, ", "));
  if (told_.size() >= kMostTold || !told_.insert(note).second) return;
  settings_.answers.log({.level = serve::LogLine::Level::warning,
                         .event = "tools_left_out",
                         .note = std::move(note)});
}

Report Gateway::report() const {
  Report out;
  out.version = settings_.version;
  out.open_calls = relays_.size();
  const auto now = loop_.now();
  for (const auto& upstream : upstreams_) {
    UpstreamReport one;
    one.name = counted(upstream->settings.name);
    one.restarts = upstream->restarts;
    one.failures = upstream->failures;
    one.failures_in_row = upstream->breaker.failures();
    out.upstreams.push_back(std::move(one));
  }
  for (const std::shared_ptr<Link>& link : links()) {
    if (!link->is_ready()) continue;
    const auto found = std::ranges::find_if(
        upstreams_, [&](const auto& one) { return &one->settings == &link->settings(); });
    if (found == upstreams_.end()) continue;
    ++out.upstreams[static_cast<std::size_t>(found - upstreams_.begin())].connections;
  }
  for (std::size_t i = 0; i < upstreams_.size(); ++i) {
    UpstreamReport& one = out.upstreams[i];
    if (upstreams_[i]->breaker.is_open(now)) {
      one.state = UpstreamState::open;
    } else if (one.connections > 0) {
      one.state = UpstreamState::ready;
    } else if (one.failures_in_row > 0) {
      one.state = UpstreamState::failing;
    }
  }
  return out;
}

}  // namespace enfold::gateway
