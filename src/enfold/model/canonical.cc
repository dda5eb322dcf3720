// SPDX-License-Identifier: Apache-2.0
#include "enfold/model/canonical.h"

#include "enfold/json/pointer.h"
#include "enfold/model/fields.h"

#include <fmt/core.h>
#include <type_traits>

namespace enfold::model {
namespace {

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

// Writes the fields that differ from `base`; a field with its default value is written as null.
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

tl::unexpected<Error> wrong(const std::string& where, std::string_view expected, json::View found) {
  return fail(ErrorCode::invalid_input,
              fmt::format("expected {}, found {}", expected, json::name(found.kind())), where);
}

template <class T>
Status read(T& out, json::View value, const std::string& where);

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

template <Fielded T>
void collect_missing(const T& want, const T& have, const std::string& where,
                     std::vector<std::string>& out) {
  each_field(
      [&](const char* name, const auto& mine, const auto& other) {
        using Field = std::decay_t<decltype(mine)>;
        if (mine == other || mine == Field{}) return;
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
