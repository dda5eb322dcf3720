// SPDX-License-Identifier: Apache-2.0
// A parsed JSON document: the original bytes, unchanged, and an index of its arrays and objects.
// Every value is a view into those bytes, so writing it again reproduces number texts, escapes, key
// order and duplicate keys exactly. `Value` owns its document (reference counted), `View` borrows.
#pragma once

#include "enfold/base/limits.h"
#include "enfold/base/result.h"

#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

namespace enfold::json {

/// Owned bytes followed by zeroed padding, so that the scanner may read a whole vector (at most
/// kPadding bytes) past the end.
class Buffer {
 public:
  static constexpr std::size_t kPadding = 64;

  Buffer() = default;
  explicit Buffer(std::string_view bytes) { append(bytes); }
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  /// Room for `bytes` more; write there, then `commit` what was written, which adds the padding.
  [[nodiscard]] char* prepare(std::size_t bytes);
  void commit(std::size_t bytes);
  void append(std::string_view bytes);

  // For many small pieces: room(), advance() and put() do what prepare(), commit() and append() do,
  // without the padding. After the last piece pad() must be called to add it.
  [[nodiscard]] char* room(std::size_t bytes) {
    return size_ + bytes + kPadding <= capacity_ ? data_ + size_ : prepare(bytes);
  }
  void advance(std::size_t bytes) { size_ += bytes; }
  void drop_last(std::size_t bytes) { size_ -= bytes; }
  void put(std::string_view bytes);
  void pad();

  [[nodiscard]] const char* data() const { return data_ != nullptr ? data_ : kEmpty; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] std::string_view view() const { return {data(), size_}; }

 private:
  static constexpr char kEmpty[kPadding] = {};
  char* data_ = nullptr;
  std::size_t size_ = 0;      ///< bytes without the padding
  std::size_t capacity_ = 0;  ///< bytes with the padding
};

enum class Kind : std::uint8_t { null, boolean, number, string, array, object };
[[nodiscard]] std::string_view name(Kind kind);

namespace detail {

/// One array or object. Scalars and keys have no entry: they are lexed again when they are read,
/// which is cheap on validated bytes and keeps the index small.
struct Container {
  std::uint32_t begin;        ///< offset of the bracket
  std::uint32_t end;          ///< one past the closing bracket
  std::uint32_t next;         ///< index of the first container after this one's subtree
  std::uint32_t count : 30;   ///< items or members
  std::uint32_t compact : 1;  ///< 1: there is no white space between its tokens
  /// 1: an object that may hold duplicate keys, holds keys with escapes, or has more members than
  /// Limits::wide_object_members.
  std::uint32_t suspect : 1;
};

/// A plain growing array. Not std::vector: it grows inside code that is compiled for newer
/// processors, and the linker might use a template that is instantiated there on all processors.
class Containers {
 public:
  Containers() = default;
  Containers(const Containers&) = delete;
  Containers& operator=(const Containers&) = delete;
  ~Containers();

  void reserve(std::uint32_t capacity);  ///< `capacity` must be more than size()
  /// Appends a container that begins at this offset and is still open. Returns its index.
  std::uint32_t push(std::uint32_t begin) {
    if (size_ == capacity_) grow();
    data_[size_] = Container{begin, 0, 0, 0, 0, 0};
    return size_++;
  }
  Container& operator[](std::uint32_t index) { return data_[index]; }
  const Container& operator[](std::uint32_t index) const { return data_[index]; }
  [[nodiscard]] std::uint32_t size() const { return size_; }

 private:
  void grow();  ///< makes room for at least one more
  Container* data_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
};

/// What a document consists of; shared by the Values that refer to it.
struct Storage : std::enable_shared_from_this<Storage> {
  Buffer bytes;
  Containers containers;
};

}  // namespace detail

struct Member;
class View;
namespace detail {
[[nodiscard]] char first_byte(const View& view);
[[nodiscard]] std::uint32_t container_index(const View& view);
}  // namespace detail
template <class Child>
class Children;
using Members = Children<Member>;  ///< for (const Member& member : view.members())
using Items = Children<View>;      ///< for (const View item : view.items())

/// Borrows from a Document or Value, which must outlive it. Cheap to copy.
class View {
 public:
  View() = default;  ///< the value `null`
  /// The bytes from `begin` to `end` (one past) of a document. `container`: index in
  /// Storage::containers; ignored for scalars and keys.
  View(const detail::Storage* storage, std::uint32_t begin, std::uint32_t end,
       std::uint32_t container)
      : storage_(storage), begin_(begin), end_(end), container_(container) {}

  [[nodiscard]] Kind kind() const {
    switch (detail::first_byte(*this)) {
      case '{': return Kind::object;
      case '[': return Kind::array;
      case '"': return Kind::string;
      case 't':
      case 'f': return Kind::boolean;
      case 'n': return Kind::null;
      default: return Kind::number;
    }
  }
  [[nodiscard]] bool is_null() const { return detail::first_byte(*this) == 'n'; }
  [[nodiscard]] bool is_boolean() const { return kind() == Kind::boolean; }
  [[nodiscard]] bool is_number() const { return kind() == Kind::number; }
  [[nodiscard]] bool is_string() const { return detail::first_byte(*this) == '"'; }
  [[nodiscard]] bool is_array() const { return detail::first_byte(*this) == '['; }
  [[nodiscard]] bool is_object() const { return detail::first_byte(*this) == '{'; }
  [[nodiscard]] bool is_container() const { return is_object() || is_array(); }

  /// The bytes of the value in the source text.
  [[nodiscard]] std::string_view raw() const {
    if (storage_ == nullptr) return "null";
    return {storage_->bytes.data() + begin_, end_ - begin_};
  }
  [[nodiscard]] bool is_compact() const;  ///< raw() holds no white space between tokens

  /// The readers below return false, an empty text or nullopt for a value of another kind.
  [[nodiscard]] bool boolean() const { return detail::first_byte(*this) == 't'; }
  [[nodiscard]] std::string string() const;               ///< unescaped; lone surrogates as WTF-8
  [[nodiscard]] std::string_view string_source() const {  ///< between the quotes, still escaped
    if (!is_string()) return {};
    return {storage_->bytes.data() + begin_ + 1, end_ - begin_ - 2};
  }
  [[nodiscard]] bool has_escapes() const;
  [[nodiscard]] bool equals(std::string_view text) const;     ///< a string with this decoded value
  [[nodiscard]] std::string_view number() const;              ///< as the source writes it
  [[nodiscard]] std::optional<std::int64_t> integer() const;  ///< when the text is a 64-bit integer
  [[nodiscard]] std::optional<double> real() const;           ///< nearest double, when it is finite

  [[nodiscard]] std::size_t size() const {  ///< items or members; 0 for scalars
    return is_container() ? storage_->containers[container_].count : 0;
  }
  [[nodiscard]] Members members() const;
  [[nodiscard]] Items items() const;
  /// The member with this key; of duplicates the last, as in most JSON parsers.
  [[nodiscard]] std::optional<View> find(std::string_view key) const;
  [[nodiscard]] std::optional<View> item(std::size_t index) const;  ///< of an array, from 0

  [[nodiscard]] std::uint32_t offset() const { return begin_; }  ///< in the document
  [[nodiscard]] const detail::Storage* storage() const { return storage_; }

 private:
  friend class Value;
  friend char detail::first_byte(const View& view);
  friend std::uint32_t detail::container_index(const View& view);

  const detail::Storage* storage_ = nullptr;  ///< null: the value `null` of a default View
  std::uint32_t begin_ = 0;                   ///< offset in the document
  std::uint32_t end_ = 0;                     ///< one past the value
  std::uint32_t container_ = 0;               ///< index in Storage::containers; unused for scalars
};

struct Member {
  View key;  ///< always a string
  View value;
};

namespace detail {

inline char first_byte(const View& view) {
  return view.storage_ == nullptr ? 'n' : view.storage_->bytes.data()[view.begin_];
}
/// Index in Storage::containers; only for arrays and objects.
inline std::uint32_t container_index(const View& view) { return view.container_; }

/// Walks the children of one container left to right; shared by Members and Items.
class Cursor {
 public:
  Cursor() = default;
  explicit Cursor(View container);
  [[nodiscard]] bool done() const { return left_ == 0; }
  void advance();
  Member child;  ///< the current child; in an array its key is the default View

 private:
  /// Reads the child at `at_` into `child` and moves `at_` and `next_` past it.
  void read();
  View parent_;
  std::uint32_t at_ = 0;    ///< offset of the next unread byte
  std::uint32_t next_ = 0;  ///< index of the next child container
  std::uint32_t left_ = 0;  ///< children not yet passed, `child` included
};

}  // namespace detail

template <class Child>
class Children {
 public:
  explicit Children(View container) : container_(container) {}
  class Iterator {
   public:
    using value_type = Child;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    explicit Iterator(View container) : cursor_(container) {}
    /// Valid until the iterator advances or is destroyed. A reference, because copying the view
    /// right after its members were stored stalls the processor (store forwarding).
    const Child& operator*() const {
      if constexpr (std::is_same_v<Child, Member>) {
        return cursor_.child;
      } else {
        return cursor_.child.value;
      }
    }
    Iterator& operator++() {
      cursor_.advance();
      return *this;
    }
    void operator++(int) { cursor_.advance(); }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) {
      return it.cursor_.done();
    }

   private:
    detail::Cursor cursor_;
  };
  [[nodiscard]] Iterator begin() const { return Iterator(container_); }
  [[nodiscard]] std::default_sentinel_t end() const { return {}; }

 private:
  View container_;
};

/// An owned JSON value: a View that keeps its document alive. Default: `null`.
/// == is equality of JSON values: member order is ignored, numbers compare by text.
class Value {
 public:
  Value() = default;
  explicit Value(View view);  ///< shares the ownership of the view's document

  [[nodiscard]] View view() const { return view_; }
  [[nodiscard]] const View* operator->() const { return &view_; }
  [[nodiscard]] View operator*() const { return view_; }

  friend bool operator==(const Value& a, const Value& b);

 private:
  std::shared_ptr<const detail::Storage> storage_;  ///< null: a default Value
  View view_;
};

/// Properties of a document that the grammar allows but that deserve a warning.
struct Oddities {
  std::vector<std::uint32_t>
      duplicate_keys;  ///< offsets of keys that repeat an earlier key of their object; at most 16
  std::size_t duplicate_key_count = 0;  ///< of all such keys
  /// Offset of the first escape that is a surrogate without its pair.
  std::optional<std::uint32_t> lone_surrogate;
  /// Offset of the first object with more than Limits::wide_object_members members.
  std::optional<std::uint32_t> wide_object;
  [[nodiscard]] bool any() const {
    return duplicate_key_count != 0 || lone_surrogate.has_value() || wide_object.has_value();
  }
};

class Document {
 public:
  [[nodiscard]] View root() const { return root_; }
  [[nodiscard]] Value value() const { return Value(root_); }
  [[nodiscard]] std::string_view bytes() const { return storage_->bytes.view(); }
  [[nodiscard]] const Oddities& oddities() const { return oddities_; }

 private:
  friend Result<Document> parse(Buffer, const Limits&);
  std::shared_ptr<detail::Storage> storage_;
  View root_;
  Oddities oddities_;
};

/// Full RFC 8259 grammar and UTF-8. A leading byte order mark, NUL bytes, and anything beyond the
/// limits are errors with line, column and byte offset.
[[nodiscard]] Result<Document> parse(Buffer bytes, const Limits& limits = {});
[[nodiscard]] Result<Document> parse(std::string_view bytes, const Limits& limits = {});

/// The unescaped text of a JSON string, for example to parse JSON inside a string. Empty for a
/// value of another kind.
[[nodiscard]] Buffer string_buffer(View string);

/// For text that the program itself wrote: aborts if it is not JSON or exceeds the default Limits.
[[nodiscard]] Value parse_own(std::string_view text);

/// "line 3, column 7 (byte 41)": lines and columns (in code points) from 1, the offset from 0.
[[nodiscard]] std::string describe_place(std::string_view bytes, std::size_t offset);

/// Equal JSON values: ignores member order, compares strings decoded and numbers by their text.
[[nodiscard]] bool equal(View a, View b);

/// The member if it is a string; a member of another type counts as absent.
[[nodiscard]] inline std::optional<std::string> string_member(View object, std::string_view key) {
  const std::optional<View> member = object.find(key);
  if (!member || !member->is_string()) return std::nullopt;
  return member->string();
}

}  // namespace enfold::json
