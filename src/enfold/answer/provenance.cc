// SPDX-License-Identifier: Apache-2.0
#include "enfold/answer/provenance.h"

#include "enfold/contract/errors/error_codes.h"
#include "enfold/json/pointer.h"
#include "enfold/json/write.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>
#include <unordered_set>

namespace enfold::answer {
namespace {

using model::Response;
using model::Warning;

constexpr std::string_view kFromServer = "Server: ";  // prefix of a message of the upstream

bool is_of_upstream(const Warning& warning) {
  const auto source = warning.context ? warning.context->view().find("source") : std::nullopt;
  return source && source->equals("upstream");
}

// Marks a warning as one of the upstream: in the context, and in the message, because many clients
// show only that.
void name_source(Warning& warning) {
  if (!warning.message.starts_with(kFromServer)) warning.message.insert(0, kFromServer);
  json::Writer writer;
  writer.begin_object();
  if (warning.context) {
    json::write_members(writer, warning.context->view(),
                        [](const json::Member& member) { return !member.key.equals("source"); });
  }
  warning.context = std::move(writer.member("source", "upstream").end_object()).finish_value();
}

// Whether only the gateway may write the member of response-v2 at this place. Names that begin with
// one of these places count too, such as `session_id`.
bool is_gateway_place(std::string_view pointer) {
  constexpr std::array places{"/meta/request_id",
                              "/meta/rate_limit",
                              "/meta/session",
                              "/meta/content_archive_hashes",
                              "/meta/dropped_content_ids",
                              "/meta/content_fidelity",
                              "/meta/telemetry/cache_hit",
                              "/meta/ext/enfold",
                              "/meta/dev.enfold~1"};
  return std::ranges::any_of(places,
                             [&](std::string_view one) { return pointer.starts_with(one); });
}

// "a/b" for the pointer "/meta/a~1b" and for "/meta/a/b".
std::string name_below_meta(const std::string& pointer) {
  const auto parsed = json::Pointer::parse(pointer);
  if (!parsed || parsed->tokens().empty()) return pointer;
  return fmt::format("{}", fmt::join(parsed->tokens().begin() + 1, parsed->tokens().end(), "/"));
}

/// Builds `answer.upstream`: the members that the upstream wrote. Each `take_…` function moves one
/// out of the response.
class UpstreamMembers {
 public:
  UpstreamMembers() { writer_.begin_object(); }

  // Begins a member; the caller writes its value.
  json::Writer& key(std::string_view name) {
    names_.insert(std::string(name));
    return writer_.key(name);
  }
  // Of several members of a name, as in the envelope and in `_meta`, the first is kept.
  void add(const std::string& name, json::View value) {
    if (!names_.contains(name)) key(name).value(value);
  }

  // Members of `_meta`. A name that is repeated in it with another value gets a number.
  void add_all(json::View meta) {
    struct Seen {
      json::View first;
      std::size_t count = 1;
    };
    std::map<std::string, Seen> seen;
    for (const json::Member& one : meta.members()) {
      if (!is_enfold_meta(one.key)) continue;
      const std::string name = one.key.string();
      const auto [found, is_new] = seen.try_emplace(name, Seen{one.value});
      if (is_new) {
        add(name, one.value);
      } else if (one.value.raw() != found->second.first.raw()) {
        add(fmt::format("{}#{}", name, ++found->second.count), one.value);
      }
    }
  }

  void take_request_id(std::string& id) {
    if (id.empty()) return;
    key("request_id").string(id);
    id.clear();
  }

  void take_rate_limit(std::optional<model::RateLimit>& limit) {
    if (!limit) return;
    key("rate_limit").begin_object();
    const auto number = [&](std::string_view name, const std::optional<model::Number>& value) {
      if (value) writer_.key(name).number(value->text);
    };
    number("limit", limit->limit);
    number("remaining", limit->remaining);
    if (limit->reset_at) writer_.member("reset_at", *limit->reset_at);
    if (limit->period) writer_.member("period", *limit->period);
    number("retry_after", limit->retry_after);
    writer_.end_object();
    limit.reset();
  }

  void take_cache_hit(std::optional<model::Telemetry>& telemetry) {
    if (!telemetry || !telemetry->cache_hit) return;
    key("telemetry/cache_hit").boolean(*telemetry->cache_hit);
    telemetry->cache_hit.reset();
  }

  // The fidelity of the reduction stays: what the upstream left out is missing here too.
  void take_archive(model::Reduction& reduction) {
    for (const auto& [name, value] :
         {std::pair{"facts", &reduction.facts}, std::pair{"index", &reduction.index}}) {
      if (*value) add(name, (*value)->view());
      value->reset();
    }
    if (!reduction.dropped_ids.empty()) {
      key("dropped_content_ids");
      writer_.begin_array();
      for (const std::string& id : reduction.dropped_ids) writer_.string(id);
      writer_.end_array();
      reduction.dropped_ids.clear();
    }
    if (reduction.archive.empty()) return;
    key("content_archive_hashes").begin_object();
    for (const model::ArchiveEntry& entry : reduction.archive) {
      writer_.member(entry.handle, entry.hash);
    }
    writer_.end_object();
    reduction.archive.clear();
  }

  void write_warnings(const std::vector<Warning>& warnings) {
    if (warnings.empty()) return;
    key("warnings").begin_array();
    for (const Warning& warning : warnings) {
      writer_.begin_object();
      if (!warning.code.empty()) writer_.member("code", warning.code);
      writer_.member("message", warning.message);
      if (warning.context) writer_.member("context", *warning.context);
      writer_.end_object();
    }
    writer_.end_array();
  }

  // nullopt: the upstream wrote no such member.
  std::optional<json::Value> finish() {
    writer_.end_object();
    return !names_.empty() ? std::optional(std::move(writer_).finish_value()) : std::nullopt;
  }

 private:
  json::Writer writer_;
  std::set<std::string> names_;
};

// Moves `meta.ext.enfold` if the residue has `meta.ext` as one object. If it has `meta.ext.enfold`
// alone, is_gateway_place finds that.
void take_slot(std::vector<json::Change>& residue, UpstreamMembers& moved) {
  const auto ext = std::ranges::find(residue, "/meta/ext", &json::Change::pointer);
  if (ext == residue.end() || !ext->after) return;
  const auto slot = ext->after->view().find("enfold");
  if (!slot) return;
  moved.add("ext/enfold", *slot);
  json::Writer others;
  others.begin_object();
  json::write_members(others, ext->after->view(),
                      [](const json::Member& one) { return !one.key.equals("enfold"); });
  ext->after = std::move(others.end_object()).finish_value();
  if (ext->after->view().size() == 0) residue.erase(ext);
}

bool has_enfold_members(json::View meta) {
  if (!meta.is_object()) return false;
  for (const json::Member& member : meta.members()) {
    if (is_enfold_meta(member.key)) return true;
  }
  return false;
}

// The members beside an answer, which some contracts show, without those of `_meta` that only the
// gateway may write.
json::Value without_enfold_members(const json::Value& metadata) {
  const auto meta = metadata->find("_meta");
  if (!meta || !has_enfold_members(*meta)) return metadata;
  json::Writer writer;
  writer.begin_object();
  for (const json::Member& member : metadata->members()) {
    writer.key(member.key);
    if (!member.key.equals("_meta") || !member.value.is_object()) {
      writer.value(member.value);
      continue;
    }
    writer.begin_object();
    json::write_members(writer, member.value,
                        [](const json::Member& one) { return !is_enfold_meta(one.key); });
    writer.end_object();
  }
  writer.end_object();
  return std::move(writer).finish_value();
}

/// The containers in which mark_upstream_meta must change something, by the address of their first
/// byte.
using Marked = std::unordered_set<const char*>;

// Adds the value, and values in it, in which something must change. True: the value was added.
bool find_marked(json::View value, Marked& marked) {
  bool is_marked = false;
  if (value.is_array()) {
    for (const json::View item : value.items()) is_marked |= find_marked(item, marked);
  }
  for (const json::Member& member : value.members()) {
    if (member.key.equals("structuredContent")) continue;
    is_marked |= member.key.equals("_meta") && has_enfold_members(member.value);
    is_marked |= find_marked(member.value, marked);
  }
  if (is_marked) marked.insert(value.raw().data());
  return is_marked;
}

void write_marked_meta(json::Writer& writer, json::View meta) {
  writer.begin_object();
  json::write_members(writer, meta,
                      [](const json::Member& member) { return !is_enfold_meta(member.key); });
  writer.key(kUpstreamMeta).begin_object();
  json::write_members(writer, meta,
                      [](const json::Member& member) { return is_enfold_meta(member.key); });
  writer.end_object().end_object();
}

void write_marked(json::Writer& writer, json::View value, const Marked& marked) {
  if (!marked.contains(value.raw().data())) {
    writer.value(value);
  } else if (value.is_array()) {
    writer.begin_array();
    for (const json::View item : value.items()) write_marked(writer, item, marked);
    writer.end_array();
  } else {
    writer.begin_object();
    for (const json::Member& member : value.members()) {
      writer.key(member.key);
      if (member.key.equals("structuredContent")) {
        writer.value(member.value);
      } else if (member.key.equals("_meta") && has_enfold_members(member.value)) {
        write_marked_meta(writer, member.value);
      } else {
        write_marked(writer, member.value, marked);
      }
    }
    writer.end_object();
  }
}

// Moves the warnings of the upstream, which come first (stated_warnings), to the end, after those
// of Enfold.
void order_warnings(contract::Reading& reading) {
  std::vector<Warning>& warnings = reading.response.warnings;
  const auto first_own = warnings.begin() + static_cast<std::ptrdiff_t>(reading.stated_warnings);
  std::for_each(warnings.begin(), first_own, name_source);
  std::rotate(warnings.begin(), first_own, warnings.end());
  reading.stated_warnings = 0;
}

}  // namespace

bool is_enfold_meta(json::View key) {
  constexpr std::string_view prefix = "dev.enfold/";
  const std::string_view source = key.string_source();
  if (source.find('\\') == std::string_view::npos) return source.starts_with(prefix);
  return key.string().starts_with(prefix);
}

json::Value mark_upstream_meta(json::Value value) {
  const std::string_view raw = value->raw();
  const bool may_have_meta =
      raw.find("_meta\"") != std::string_view::npos || raw.find("\\u") != std::string_view::npos;
  Marked marked;
  if (!may_have_meta || !find_marked(value.view(), marked)) return value;
  json::Writer writer;
  write_marked(writer, value.view(), marked);
  return std::move(writer).finish_value();
}

Result<json::Value> pass_through(json::Value value, const redact::Policy* policy) {
  if (policy != nullptr) {
    ENFOLD_TRY(redact::RedactionResult clean, redact::redact(value.view(), *policy));
    if (clean.changed) value = std::move(clean.value);
  }
  return mark_upstream_meta(std::move(value));
}

void separate_upstream_words(ReadAnswer& answer, contract::Id contract) {
  Response& response = answer.reading.response;
  order_warnings(answer.reading);
  for (json::Value& block : response.blocks) block = mark_upstream_meta(std::move(block));
  if (response.metadata) response.metadata = without_enfold_members(*response.metadata);
  UpstreamMembers moved;
  moved.take_request_id(response.request_id);
  moved.take_rate_limit(response.rate_limit);
  moved.take_cache_hit(response.telemetry);
  if (response.reduction) {
    moved.take_archive(*response.reduction);
    const auto tells_cut = [](const Warning& one) { return one.code == "CONTENT_TRUNCATED"; };
    if (std::ranges::none_of(response.warnings, tells_cut)) {
      response.warnings.push_back(
          contract::make_warning("CONTENT_TRUNCATED", "A part of the answer was left out"));
      name_source(response.warnings.back());
    }
  }
  take_slot(answer.reading.origin.residue, moved);
  std::erase_if(answer.reading.origin.residue, [&](const json::Change& change) {
    if (!is_gateway_place(change.pointer)) return false;
    if (change.after) moved.add(name_below_meta(change.pointer), change.after->view());
    return true;
  });
  if (contract != contract::Id::response_v2) {
    std::vector<Warning> upstream;
    std::ranges::copy_if(response.warnings, std::back_inserter(upstream), [](const Warning& one) {
      return is_of_upstream(one) || one.code == "CONTRACT_VIOLATION";
    });
    moved.write_warnings(upstream);
  }
  for (const json::Member& member : foreign_members(answer)) {
    if (member.key.equals("_meta")) moved.add_all(member.value);
  }
  answer.upstream = moved.finish();
}

}  // namespace enfold::answer
