// SPDX-License-Identifier: Apache-2.0
// A sequence of limited length: a further element takes the place of the oldest. Places are used
// again as they are, so that elements keep the memory of their members.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace enfold::gateway {

template <class Element>
class Ring {
 public:
  /// At most so many elements, at least one.
  explicit Ring(std::size_t limit) : limit_(limit > 0 ? limit : 1) {}

  /// The place of the next element, which becomes the last; `is_used`: it holds the oldest element,
  /// which the caller replaces.
  struct Place {
    Element& element;
    bool is_used;
  };
  [[nodiscard]] Place next() {
    if (size_ == limit_) {
      const std::size_t oldest = first_;
      first_ = first_ + 1 == limit_ ? 0 : first_ + 1;
      return {at(oldest), true};
    }
    if (size_ == blocks_.size() * kBlock) blocks_.push_back(std::make_unique<Block>());
    return {at(size_++), false};
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  /// `index`: 0 is the oldest element.
  [[nodiscard]] const Element& operator[](std::size_t index) const { return at(place_of(index)); }
  [[nodiscard]] Element& operator[](std::size_t index) { return at(place_of(index)); }
  [[nodiscard]] const Element& front() const { return (*this)[0]; }
  [[nodiscard]] const Element& back() const { return (*this)[size_ - 1]; }

  class Iterator {
   public:
    Iterator(const Ring& ring, std::size_t index) : ring_(&ring), index_(index) {}
    const Element& operator*() const { return (*ring_)[index_]; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    bool operator==(const Iterator& other) const { return index_ == other.index_; }

   private:
    const Ring* ring_;
    std::size_t index_;
  };
  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, size_}; }

 private:
  static constexpr std::size_t kBlock = 256;
  using Block = std::array<Element, kBlock>;

  [[nodiscard]] std::size_t place_of(std::size_t index) const {
    const std::size_t place = first_ + index;
    return place < limit_ ? place : place - limit_;
  }
  [[nodiscard]] Element& at(std::size_t place) {
    return (*blocks_[place / kBlock])[place % kBlock];
  }
  [[nodiscard]] const Element& at(std::size_t place) const {
    return (*blocks_[place / kBlock])[place % kBlock];
  }

  std::size_t limit_;
  std::size_t size_ = 0;
  std::size_t first_ = 0;  ///< place of the oldest element; 0 until the ring is full
  std::vector<std::unique_ptr<Block>> blocks_;
};

}  // namespace enfold::gateway
