// SPDX-License-Identifier: Apache-2.0
#include "enfold/json/document.h"

#include "enfold/json/detail/document_keys.h"
#include "enfold/json/detail/escape.h"
#include "enfold/json/detail/lex.h"
#include "enfold/json/number.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <new>

namespace enfold::json {

std::string_view name(Kind kind) {
  constexpr std::string_view names[] = {"null", "boolean", "number", "string", "array", "object"};
  return names[static_cast<std::size_t>(kind)];
}

namespace detail {

Containers::~Containers() { std::free(data_); }

void Containers::grow() { reserve(capacity_ == 0 ? 16 : capacity_ + capacity_ / 2); }

void Containers::reserve(std::uint32_t capacity) {
  // realloc lets the system move large arrays by remapping pages instead of copying them.
  void* grown = data_ == nullptr ? std::malloc(sizeof(Container) * capacity)
                                 : std::realloc(data_, sizeof(Container) * capacity);
  if (grown == nullptr) throw std::bad_alloc();
  data_ = static_cast<Container*>(grown);
  capacity_ = capacity;
}

Cursor::Cursor(View container) : parent_(container) {
  left_ = static_cast<std::uint32_t>(container.size());
  if (left_ == 0) return;
  at_ = container.offset() + 1;
  next_ = container_index(container) + 1;
  read();
}

void Cursor::advance() {
  if (--left_ != 0) read();
}

void Cursor::read() {
  const Storage& storage = *parent_.storage();
  const char* const base = storage.bytes.data();
  const auto offset = [&](const char* place) { return static_cast<std::uint32_t>(place - base); };
  const char* p = skip_to_token(base + at_);
  if (base[parent_.offset()] == '{') {
    const char* after_key = string_close(p + 1) + 1;
    child.key = View(&storage, offset(p), offset(after_key), /*container=*/0);
    p = skip_to_token(after_key);
  }
  if (*p == '{' || *p == '[') {
    const Container& held = storage.containers[next_];
    child.value = View(&storage, held.begin, held.end, next_);
    next_ = held.next;
    at_ = held.end;
    return;
  }
  const char* after = value_close(p);
  child.value = View(&storage, offset(p), offset(after), /*container=*/0);
  at_ = offset(after);
}

}  // namespace detail

bool View::is_compact() const {
  return !is_container() || storage_->containers[container_].compact != 0;
}

bool View::has_escapes() const {
  const std::string_view source = string_source();
  return !source.empty() && std::memchr(source.data(), '\\', source.size()) != nullptr;
}

std::string View::string() const { return detail::unescape(string_source()); }

Buffer string_buffer(View string) {
  Buffer out;
  const std::string_view source = string.string_source();
  char* room = out.prepare(source.size() + 64);
  out.commit(detail::unescape(source, room));
  return out;
}

bool View::equals(std::string_view text) const {
  if (!is_string()) return false;
  const std::string_view source = string_source();
  // Most texts differ in their first byte, unless it is an escape.
  if (!source.empty() && !text.empty() && source.front() != text.front() &&
      source.front() != '\\') {
    return false;
  }
  if (source == text) return text.find('\\') == std::string_view::npos;
  return source.size() > text.size() && has_escapes() && string() == text;
}

std::string_view View::number() const { return is_number() ? raw() : std::string_view{}; }

std::optional<std::int64_t> View::integer() const {
  const std::string_view text = number();
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> View::real() const {
  const std::string_view text = number();
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty()) return std::nullopt;
  if (error == std::errc{}) return value;
  // The number is out of the range of double. One that is too large has no double; one that is too
  // close to zero is read as zero.
  const Number exact(text);
  if (exact > Number("1") || exact < Number("-1")) return std::nullopt;
  return text.front() == '-' ? -0.0 : 0.0;
}

Members View::members() const { return Members(is_object() ? *this : View()); }
Items View::items() const { return Items(is_array() ? *this : View()); }

namespace {

// The last member with this key. Compares decoded keys, for objects that are `suspect`.
[[gnu::noinline]] std::optional<View> find_in_suspect(View object, std::string_view key) {
  std::optional<View> found;
  for (const Member& member : object.members()) {
    if (member.key.equals(key)) found = member.value;
  }
  return found;
}

// For objects that are not `suspect`: their keys have no escapes and no duplicates, so comparing
// bytes is enough, and the first match is the only one. `index` is that of the object's Container.
// Not inlined, so that `find` is short for a key that is nowhere in the document.
[[gnu::noinline]] std::optional<View> find_exactly(const detail::Storage& storage,
                                                   std::uint32_t index, std::string_view key) {
  const detail::Container& container = storage.containers[index];
  const char* const base = storage.bytes.data();
  const char* const end = base + container.end;
  const char* p = base + container.begin + 1;
  std::uint32_t child = index + 1;
  // Without white space there is one comma or colon between two tokens: the next token is known.
  const bool compact = container.compact != 0;
  for (std::uint32_t left = container.count; left != 0; --left) {
    if (!compact) {
      p = detail::skip_to_token(p);
    } else if (*p == ',') {
      ++p;
    }
    ++p;
    // Checks for the closing quote where it would be if this were the key, instead of searching for
    // it. A key that contains a quote could match past the end of a shorter key, so it never fits.
    const bool fits = p + key.size() < end && p[key.size()] == '"' &&
                      std::memcmp(p, key.data(), key.size()) == 0 &&
                      key.find('"') == std::string_view::npos;
    const char* const close = fits ? p + key.size() : detail::string_close(p);
    const char* const value = compact ? close + 2 : detail::skip_to_token(close + 1);
    if (*value == '{' || *value == '[') {
      const detail::Container& inner = storage.containers[child];
      if (fits) return View(&storage, inner.begin, inner.end, child);
      p = base + inner.end;
      child = inner.next;
    } else {
      p = detail::value_close(value);
      if (fits) {
        return View(&storage, static_cast<std::uint32_t>(value - base),
                    static_cast<std::uint32_t>(p - base), /*container=*/0);
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<View> View::find(std::string_view key) const {
  if (!is_object()) return std::nullopt;
  const auto& storage = static_cast<const detail::IndexedStorage&>(*storage_);
  if (!storage.keys.may_have(detail::key_hash(key))) return std::nullopt;
  if (storage.containers[container_].suspect != 0) return find_in_suspect(*this, key);
  return find_exactly(storage, container_, key);
}

std::optional<View> View::item(std::size_t index) const {
  if (!is_array() || index >= size()) return std::nullopt;
  for (const View item : items()) {
    if (index-- == 0) return item;
  }
  return std::nullopt;
}

Value::Value(View view)
    : storage_(view.storage_ != nullptr ? view.storage_->shared_from_this() : nullptr),
      view_(view) {}

bool operator==(const Value& a, const Value& b) { return equal(a.view_, b.view_); }

Buffer::~Buffer() { std::free(data_); }

char* Buffer::prepare(std::size_t bytes) {
  const std::size_t needed = size_ + bytes + kPadding;
  if (needed > capacity_) {
    const std::size_t capacity = std::max(needed, capacity_ + capacity_ / 2);
    void* grown = data_ == nullptr ? std::malloc(capacity) : std::realloc(data_, capacity);
    if (grown == nullptr) throw std::bad_alloc();
    data_ = static_cast<char*>(grown);
    capacity_ = capacity;
  }
  return data_ + size_;
}

void Buffer::commit(std::size_t bytes) {
  size_ += bytes;
  std::memset(data_ + size_, 0, kPadding);
}

void Buffer::put(std::string_view bytes) {
  char* to = room(bytes.size());
  if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
  size_ += bytes.size();
}

void Buffer::pad() {
  char* to = room(0);
  std::memset(to, 0, kPadding);
}

void Buffer::append(std::string_view bytes) {
  char* to = prepare(bytes.size());
  if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
  commit(bytes.size());
}

}  // namespace enfold::json
