// SPDX-License-Identifier: Apache-2.0
#include "enfold/schema/compile/index.h"

#include "enfold/base/text.h"
#include "enfold/json/pointer.h"

#include <charconv>
#include <fmt/format.h>

namespace enfold::schema::detail {
namespace {

constexpr std::uint32_t kDeepestSchema = 1024;  // nested schemas

/// The parts of a URI (RFC 3986).
struct Parts {
  std::optional<std::string_view> scheme;
  std::optional<std::string_view> authority;
  std::string_view path;
  std::optional<std::string_view> query;
  std::optional<std::string_view> fragment;
};

// The scheme without its colon; nullopt: the URI is relative.
std::optional<std::string_view> read_scheme(std::string_view uri) {
  if (uri.empty() || !is_letter(uri.front())) return std::nullopt;
  for (std::size_t i = 1; i < uri.size(); ++i) {
    const char c = uri[i];
    if (c == ':') return uri.substr(0, i);
    if (!is_alphanumeric(c) && c != '+' && c != '-' && c != '.') break;
  }
  return std::nullopt;
}

// Cuts `text` off before `mark`; returns what follows the mark. nullopt: there is none.
std::optional<std::string_view> cut(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(at + 1);
  text = text.substr(0, at);
  return rest;
}

Parts parse(std::string_view uri) {
  Parts parts;
  parts.fragment = cut(uri, '#');
  parts.query = cut(uri, '?');
  parts.scheme = read_scheme(uri);
  if (parts.scheme) uri.remove_prefix(parts.scheme->size() + 1);
  if (uri.substr(0, 2) == "//") {
    const std::size_t end = std::min(uri.find('/', 2), uri.size());
    parts.authority = uri.substr(2, end - 2);
    uri.remove_prefix(end);
  }
  parts.path = uri;
  return parts;
}

// RFC 3986, section 5.2.4.
std::string remove_dot_segments(std::string_view path) {
  std::string out;
  const auto drop_last = [&out] {
    const std::size_t slash = out.rfind('/');
    out.resize(slash == std::string::npos ? 0 : slash);
  };
  while (!path.empty()) {
    if (path.starts_with("../")) {
      path.remove_prefix(3);
    } else if (path.starts_with("./") || path.starts_with("/./")) {
      path.remove_prefix(2);
    } else if (path == "/.") {
      path = "/";
    } else if (path.starts_with("/../")) {
      path.remove_prefix(3);
      drop_last();
    } else if (path == "/..") {
      path = "/";
      drop_last();
    } else if (path == "." || path == "..") {
      path = {};
    } else {
      const std::size_t end = std::min(path.find('/', 1), path.size());
      out += path.substr(0, end);
      path.remove_prefix(end);
    }
  }
  return out;
}

// RFC 3986, section 5.2.3.
std::string merge_paths(const Parts& base, std::string_view path) {
  if (base.authority && base.path.empty()) return "/" + std::string(path);
  const std::size_t slash = base.path.rfind('/');
  if (slash == std::string_view::npos) return std::string(path);
  return std::string(base.path.substr(0, slash + 1)) + std::string(path);
}

}  // namespace

/// The members of a schema that name the schema, or the dialect whose rules apply to it.
struct SchemaIndex::Identity {
  std::optional<json::View> id;
  std::optional<json::View> schema;
  std::optional<json::View> anchor;
  std::optional<json::View> dynamic_anchor;
  bool has_ref = false;

  explicit Identity(json::View object) {
    for (const json::Member& member : object.members()) {
      if (member.key.equals("$ref")) has_ref = true;
      if (!member.value.is_string()) continue;
      if (member.key.equals("$id")) id = member.value;
      if (member.key.equals("$schema")) schema = member.value;
      if (member.key.equals("$anchor")) anchor = member.value;
      if (member.key.equals("$dynamicAnchor")) dynamic_anchor = member.value;
    }
  }
};

Steps::Id Steps::extend(Id parent, std::string token) {
  steps_.push_back(Step{parent, std::move(token)});
  return static_cast<Id>(steps_.size() - 1);
}

std::string Steps::pointer(Id id) const {
  std::vector<const std::string*> tokens;
  for (; id != kRoot; id = steps_[id].parent) tokens.push_back(&steps_[id].token);
  std::string text;
  for (auto token = tokens.rbegin(); token != tokens.rend(); ++token)
    json::append_token(text, **token);
  return text;
}

Result<Target> SchemaIndex::add_root(const json::Value& schema) {
  root_rules_ = Rules{options_.default_dialect, kAllVocabularies};
  ENFOLD_TRY(auto added, add_document(schema, options_.base_uri, root_rules_));
  root_rules_ = resources_[added].rules;
  return Target{schema.view(), places_.at(key(schema.view()))};
}

Result<ResourceId> SchemaIndex::add_document(const json::Value& document, const std::string& uri,
                                             Rules inherited) {
  if (const auto known = broken_.find(key(document.view())); known != broken_.end()) {
    return tl::unexpected(known->second);
  }
  const std::string base(split_fragment(uri).document);
  if (const auto known = places_.find(key(document.view())); known != places_.end()) {
    by_uri_.emplace(base, known->second.resource);
    return known->second.resource;
  }
  if (const auto schema = document->find("$schema"); schema && schema->is_string()) {
    ENFOLD_TRY(inherited, find_rules(schema->string(), options_.registry, uri + "#/$schema"));
  }
  documents_.push_back(document);
  const auto id = static_cast<ResourceId>(resources_.size());
  resources_.push_back(Resource{base, document.view(), inherited, {}, {}});
  by_uri_.emplace(base, id);
  if (auto done = walk(document.view(), Place{id, Steps::kRoot}, 0); !done) {
    // An invalid document must not be referenced.
    std::erase_if(by_uri_, [&](const auto& entry) { return entry.second >= id; });
    broken_.emplace(key(document.view()), done.error());
    return tl::unexpected(std::move(done.error()));
  }
  return id;
}

Status SchemaIndex::walk(json::View schema, Place place, std::uint32_t depth) {
  if (depth > kDeepestSchema) {
    return fail(ErrorCode::limit_exceeded,
                fmt::format("expected a schema of at most {} levels", kDeepestSchema),
                location(place));
  }
  if (schema.is_object()) {
    const Identity identity(schema);
    ENFOLD_TRY(open_resource(schema, identity, place));
    add_anchors(schema, identity, place);
  }
  places_.insert_or_assign(key(schema), place);
  return schema.is_object() ? walk_children(schema, place, depth) : Status{};
}

Status SchemaIndex::open_resource(json::View schema, const Identity& identity, Place& place) {
  const Resource& parent = resources_[place.resource];
  const bool is_07 = parent.rules.dialect == Dialect::draft_07;
  if (!identity.id || (is_07 && identity.has_ref)) return {};
  const std::string id = identity.id->string();
  const SplitUri split = split_fragment(id);
  if (!is_07 && !split.fragment.empty()) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected \"$id\" to be a URI without fragment, found \"{}\"", id),
                location(place) + "/$id", "Use \"$anchor\" to name a place.");
  }
  if (split.document.empty()) return {};
  const std::string uri = resolve_uri(parent.uri, split.document);
  if (place.step == Steps::kRoot) {  // the `$id` of the whole document
    resources_[place.resource].uri = uri;
    by_uri_.emplace(uri, place.resource);
    return {};
  }
  Rules rules = parent.rules;
  if (identity.schema) {
    ENFOLD_TRY(rules, find_rules(identity.schema->string(), options_.registry,
                                 location(place) + "/$schema"));
  }
  const auto fresh = static_cast<ResourceId>(resources_.size());
  resources_.push_back(Resource{uri, schema, rules, {}, {}});
  by_uri_.emplace(uri, fresh);
  place = Place{fresh, Steps::kRoot};
  return {};
}

void SchemaIndex::add_anchors(json::View schema, const Identity& identity, const Place& place) {
  Resource& resource = resources_[place.resource];
  const Target target{schema, place};
  if (resource.rules.dialect == Dialect::draft_07) {
    if (!identity.id || identity.has_ref) return;
    const std::string id = identity.id->string();
    const std::string_view fragment = split_fragment(id).fragment;
    if (!fragment.empty()) resource.anchors.emplace(decode_fragment(fragment), target);
    return;
  }
  if (identity.anchor) resource.anchors.emplace(identity.anchor->string(), target);
  if (identity.dynamic_anchor) {
    const std::string name = identity.dynamic_anchor->string();
    resource.anchors.emplace(name, target);
    resource.dynamic_anchors.emplace(name, target);
  }
}

Status SchemaIndex::walk_children(json::View schema, const Place& place, std::uint32_t depth) {
  const Dialect dialect = resources_[place.resource].rules.dialect;
  for (const json::Member& member : schema.members()) {
    const std::string keyword = member.key.string();
    const SubschemaKind kind = subschemas_in(dialect, keyword);
    if (kind == SubschemaKind::nothing) continue;
    const auto child = [&](Steps::Id parent, std::string token) {
      return Place{place.resource, steps_.extend(parent, std::move(token))};
    };
    const Place here = child(place.step, keyword);
    if (kind == SubschemaKind::schema ||
        (kind == SubschemaKind::schema_or_list && !member.value.is_array())) {
      ENFOLD_TRY(walk(member.value, here, depth + 1));
      continue;
    }
    std::size_t index = 0;
    for (const json::View item : member.value.items()) {
      const Place place_of_item = child(here.step, std::to_string(index++));
      ENFOLD_TRY(walk(item, place_of_item, depth + 1));
    }
    for (const json::Member& each : member.value.members()) {
      const Place place_of_member = child(here.step, each.key.string());
      ENFOLD_TRY(walk(each.value, place_of_member, depth + 1));
    }
  }
  return {};
}

Result<ResourceId> SchemaIndex::find_resource(const std::string& uri, const std::string& where) {
  if (const auto known = by_uri_.find(uri); known != by_uri_.end()) return known->second;
  if (options_.registry != nullptr) {
    if (const json::Value* found = find_document(*options_.registry, uri)) {
      return add_document(*found, uri, root_rules_);
    }
  }
  if (const json::Value* found = find_document(meta_schemas(), uri)) {
    return add_document(*found, uri, root_rules_);
  }
  // A subschema of a registered document may have the URI as its `$id`, so all of them are added.
  // Errors are ignored, because the documents may use another dialect.
  if (options_.registry != nullptr && !all_documents_added_) {
    all_documents_added_ = true;
    for (const auto& [name, document] : *options_.registry) {
      (void)add_document(document, name, root_rules_);
    }
    if (const auto known = by_uri_.find(uri); known != by_uri_.end()) return known->second;
  }
  return fail(ErrorCode::invalid_input,
              fmt::format("expected a reference to a known schema, found \"{}\"", uri), where,
              "Schemas are not fetched: define it in \"$defs\" or hand it over with the registry.");
}

Result<Target> SchemaIndex::resolve(const std::string& uri, const std::string& where) {
  const SplitUri split = split_fragment(uri);
  const auto found = find_resource(std::string(split.document), where);
  if (!found) return tl::unexpected(found.error());
  const std::string fragment = decode_fragment(split.fragment);
  if (fragment.empty()) return Target{resources_[*found].root, Place{*found, Steps::kRoot}};
  if (fragment.front() == '/') return follow_pointer(*found, fragment, uri, where);
  const auto& anchors = resources_[*found].anchors;
  const auto anchor = anchors.find(fragment);
  if (anchor != anchors.end()) return anchor->second;
  return fail(ErrorCode::invalid_input,
              fmt::format("expected an anchor of the schema, found \"{}\"", uri), where);
}

Result<Target> SchemaIndex::follow_pointer(ResourceId from, const std::string& pointer,
                                           const std::string& uri, const std::string& where) {
  const auto parsed = json::Pointer::parse(pointer);
  std::optional<json::View> view = resources_[from].root;
  Place place{from, Steps::kRoot};
  if (!parsed) view.reset();
  for (std::size_t i = 0; view && i < parsed->tokens().size(); ++i) {
    const std::string& token = parsed->tokens()[i];
    if (view->is_array()) {
      std::size_t index = 0;
      const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
      const bool whole = error == std::errc{} && end == token.data() + token.size();
      view = whole ? view->item(index) : std::nullopt;
    } else {
      view = view->find(token);
    }
    if (!view) break;
    const auto known = places_.find(key(*view));
    place = known != places_.end() ? known->second
                                   : Place{place.resource, steps_.extend(place.step, token)};
  }
  if (!view) {
    return fail(ErrorCode::invalid_input,
                fmt::format("expected a reference that leads to a schema, found \"{}\"", uri),
                where);
  }
  // A subschema below an unknown keyword is not indexed until it is referenced.
  if (!places_.contains(key(*view))) {
    ENFOLD_TRY(walk(*view, place, 0));
  }
  return Target{*view, places_.at(key(*view))};
}

SplitUri split_fragment(std::string_view uri) {
  SplitUri split{uri, {}};
  split.fragment = cut(split.document, '#').value_or(std::string_view{});
  return split;
}

std::string resolve_uri(std::string_view base_text, std::string_view reference_text) {
  const Parts base = parse(base_text);
  const Parts reference = parse(reference_text);
  Parts target = reference;
  std::string path;
  if (reference.scheme) {
    path = remove_dot_segments(reference.path);
  } else {
    target.scheme = base.scheme;
    if (reference.authority) {
      path = remove_dot_segments(reference.path);
    } else {
      target.authority = base.authority;
      if (reference.path.empty()) {
        path = std::string(base.path);
        if (!reference.query) target.query = base.query;
      } else if (reference.path.front() == '/') {
        path = remove_dot_segments(reference.path);
      } else {
        path = remove_dot_segments(merge_paths(base, reference.path));
      }
    }
  }
  std::string out;
  if (target.scheme) out.append(*target.scheme) += ':';
  if (target.authority) out.append("//") += *target.authority;
  out += path;
  if (target.query) (out += '?') += *target.query;
  if (target.fragment) (out += '#') += *target.fragment;
  return out;
}

std::string decode_fragment(std::string_view text) {
  return enfold::percent_decode(text).value_or(std::string(text));
}

}  // namespace enfold::schema::detail
