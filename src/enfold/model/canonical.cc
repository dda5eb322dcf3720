// SPDX-License-Identifier: Apache-2.0
#include "enfold/model/canonical.h"

#include <fmt/core.h>
#include <tuple>

namespace enfold::model {
namespace {

// The fields of each model struct, with their names, over which the functions below iterate.
// Failure::read_from_data is left out: only rendering in the same process, after reading, uses it.
#define ENFOLD_FIELD(name) std::pair(#name, &S::name)

constexpr auto fields(const Failure*) {
  using S = Failure;
  return std::tuple(ENFOLD_FIELD(kind), ENFOLD_FIELD(code), ENFOLD_FIELD(type),
                    ENFOLD_FIELD(message), ENFOLD_FIELD(remediation), ENFOLD_FIELD(details),
                    ENFOLD_FIELD(retry_after));
}
constexpr auto fields(const Warning*) {
  using S = Warning;
  return std::tuple(ENFOLD_FIELD(code), ENFOLD_FIELD(severity), ENFOLD_FIELD(message),
                    ENFOLD_FIELD(context));
}
constexpr auto fields(const Page*) {
  using S = Page;
  return std::tuple(ENFOLD_FIELD(cursor), ENFOLD_FIELD(has_more), ENFOLD_FIELD(total),
                    ENFOLD_FIELD(page_size), ENFOLD_FIELD(offset), ENFOLD_FIELD(next_offset),
                    ENFOLD_FIELD(before), ENFOLD_FIELD(after), ENFOLD_FIELD(returned));
}
constexpr auto fields(const RateLimit*) {
  using S = RateLimit;
  return std::tuple(ENFOLD_FIELD(limit), ENFOLD_FIELD(remaining), ENFOLD_FIELD(reset_at),
                    ENFOLD_FIELD(period), ENFOLD_FIELD(retry_after));
}
constexpr auto fields(const Telemetry*) {
  using S = Telemetry;
  return std::tuple(ENFOLD_FIELD(duration_ms), ENFOLD_FIELD(cache_hit),
                    ENFOLD_FIELD(downstream_calls));
}
constexpr auto fields(const ArchiveEntry*) {
  using S = ArchiveEntry;
  return std::tuple(ENFOLD_FIELD(handle), ENFOLD_FIELD(hash));
}
constexpr auto fields(const Reduction*) {
  using S = Reduction;
  return std::tuple(ENFOLD_FIELD(level), ENFOLD_FIELD(dropped_ids), ENFOLD_FIELD(archive),
                    ENFOLD_FIELD(way_back), ENFOLD_FIELD(briefed), ENFOLD_FIELD(clipped),
                    ENFOLD_FIELD(columnar), ENFOLD_FIELD(facts), ENFOLD_FIELD(index));
}
constexpr auto fields(const Tool*) {
  using S = Tool;
  return std::tuple(ENFOLD_FIELD(id), ENFOLD_FIELD(version), ENFOLD_FIELD(tier),
                    ENFOLD_FIELD(capabilities));
}
constexpr auto fields(const UpgradeHint*) {
  using S = UpgradeHint;
  return std::tuple(ENFOLD_FIELD(feature), ENFOLD_FIELD(tier), ENFOLD_FIELD(reason));
}
constexpr auto fields(const Response*) {
  using S = Response;
  return std::tuple(ENFOLD_FIELD(outcome), ENFOLD_FIELD(payload), ENFOLD_FIELD(wrapping),
                    ENFOLD_FIELD(shape), ENFOLD_FIELD(failure), ENFOLD_FIELD(warnings),
                    ENFOLD_FIELD(page), ENFOLD_FIELD(rate_limit), ENFOLD_FIELD(telemetry),
                    ENFOLD_FIELD(reduction), ENFOLD_FIELD(tool), ENFOLD_FIELD(upgrade_hints),
                    ENFOLD_FIELD(request_id), ENFOLD_FIELD(message), ENFOLD_FIELD(level),
                    ENFOLD_FIELD(blocks), ENFOLD_FIELD(metadata));
}

#undef ENFOLD_FIELD

/// A struct of the model, which has fields().
template <class Struct>
concept Fielded = requires(const Struct* s) { fields(s); };

/// each_field(visit, a, b…) calls visit("name", a.name, b.name…) for each field; a, b… of one type.
template <class Visit, class First, class... Rest>
void each_field(Visit&& visit, First& first, Rest&... rest) {
  const auto visit_one = [&](const auto& field) {
    visit(field.first, first.*field.second, rest.*field.second...);
  };
  std::apply([&](const auto&... field) { (visit_one(field), ...); }, fields(&first));
}

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};

template <class T>
void write(json::Writer& writer, const T& value);

// Writes the fields in which `value` differs from `base`; null for an optional field that `value`
// does not set.
template <Fielded T>
void write_fields(json::Writer& writer, const T& value, const T& base) {
  each_field(
      [&](const char* name, const auto& mine, const auto& other) {
        using Field = std::decay_t<decltype(mine)>;
        if (mine == other) return;
        writer.key(name);
        if constexpr (Fielded<Field>) {
          writer.begin_object();
          write_fields(writer, mine, other);
          writer.end_object();
        } else if constexpr (IsOptional<Field>::value) {
          if (!mine) {
            writer.null();
          } else if constexpr (Fielded<typename Field::value_type>) {
            writer.begin_object();
            write_fields(writer, *mine, other.value_or(typename Field::value_type{}));
            writer.end_object();
          } else if constexpr (std::is_same_v<typename Field::value_type, json::Value>) {
            // In an array, because the JSON value itself may be null.
            writer.begin_array().value(*mine).end_array();
          } else {
            write(writer, *mine);
          }
        } else {
          write(writer, mine);
        }
      },
      value, base);
}

template <class T>
void write(json::Writer& writer, const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    writer.string(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    writer.boolean(value);
  } else if constexpr (std::is_same_v<T, Number>) {
    writer.number(value.text);
  } else if constexpr (std::is_same_v<T, json::Value>) {
    writer.value(value);
  } else if constexpr (std::is_enum_v<T>) {
    writer.string(name(value));
  } else if constexpr (IsVector<T>::value) {
    writer.begin_array();
    for (const auto& item : value) write(writer, item);
    writer.end_array();
  } else {
    static_assert(Fielded<T>);
    writer.begin_object();
    write_fields(writer, value, T{});
    writer.end_object();
  }
}

// The error for a value of the wrong type. `where`, here and below: the JSON Pointer of the value.
tl::unexpected<Error> wrong(const std::string& where, std::string_view expected, json::View found) {
  return fail(ErrorCode::invalid_input,
              fmt::format("expected {}, found {}", expected, json::name(found.kind())), where);
}

template <class T>
Status read(T& out, json::View value, const std::string& where);

// Sets the fields that `object` has; null sets a field to its default.
template <Fielded T>
Status read_fields(T& out, json::View object, const std::string& where) {
  if (!object.is_object()) return wrong(where, "an object", object);
  Status status;
  std::size_t known = 0;
  each_field(
      [&](const char* name, auto& field) {
        const std::optional<json::View> found = object.find(name);
        if (!found || !status) return;
        ++known;
        if (found->is_null()) {
          field = {};
        } else {
          status = read(field, *found, where + "/" + name);
        }
      },
      out);
  if (status && known != object.size()) {
    return fail(ErrorCode::invalid_input, "expected only fields of the response model", where);
  }
  return status;
}

template <class T>
Status read(T& out, json::View value, const std::string& where) {
  if constexpr (std::is_same_v<T, std::string>) {
    if (!value.is_string()) return wrong(where, "a string", value);
    out = value.string();
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!value.is_boolean()) return wrong(where, "a boolean", value);
    out = value.boolean();
  } else if constexpr (std::is_same_v<T, Number>) {
    if (!value.is_number()) return wrong(where, "a number", value);
    out.text = value.number();
  } else if constexpr (std::is_same_v<T, json::Value>) {
    out = json::Value(value);
  } else if constexpr (std::is_enum_v<T>) {
    const auto known = value.is_string() ? from_name<T>(value.string()) : std::nullopt;
    if (!known) return wrong(where, "a known name", value);
    out = *known;
  } else if constexpr (IsVector<T>::value) {
    if (!value.is_array()) return wrong(where, "an array", value);
    out.clear();
    for (const json::View item : value.items()) {
      out.emplace_back();
      ENFOLD_TRY(read(out.back(), item, where));
    }
  } else if constexpr (IsOptional<T>::value) {
    if constexpr (std::is_same_v<T, std::optional<json::Value>>) {
      const auto boxed = value.item(0);
      if (!boxed || value.size() != 1) return wrong(where, "an array of one value", value);
      out = json::Value(*boxed);
    } else {
      if (!out) out.emplace();
      return read(*out, value, where);
    }
  } else {
    return read_fields(out, value, where);
  }
  return {};
}

// Appends the fields of `want` that are set and differ in `have`.
template <Fielded T>
void collect_missing(const T& want, const T& have, const std::string& where,
                     std::vector<std::string>& out) {
  each_field(
      [&](const char* name, const auto& mine, const auto& other) {
        using Field = std::decay_t<decltype(mine)>;
        if (mine == other || mine == Field{}) return;  // the same, or not set in `want`
        const std::string place = where + "/" + name;
        if constexpr (Fielded<Field>) {
          collect_missing(mine, other, place, out);
        } else if constexpr (IsOptional<Field>::value) {
          if constexpr (Fielded<typename Field::value_type>) {
            collect_missing(*mine, other.value_or(typename Field::value_type{}), place, out);
          } else {
            out.push_back(place);
          }
        } else {
          out.push_back(place);
        }
      },
      want, have);
}

}  // namespace

json::Value to_json(const Response& response) { return carry(response, Response{}); }

json::Value carry(const Response& want, const Response& have) {
  json::Writer writer;
  writer.begin_object();
  write_fields(writer, want, have);
  writer.end_object();
  return std::move(writer).finish_value();
}

Status overlay(Response& response, json::View carried) {
  return read_fields(response, carried, "");
}

std::vector<std::string> missing_fields(const Response& want, const Response& have) {
  std::vector<std::string> out;
  collect_missing(want, have, "", out);
  return out;
}

}  // namespace enfold::model
