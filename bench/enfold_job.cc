// SPDX-License-Identifier: Apache-2.0
#include "bench/enfold_job.h"

#include <cstdlib>
#include <fmt/core.h>

namespace enfold::bench {
namespace {

// Every message here is valid: a failure means that the numbers would be worth nothing.
template <class T>
T must(Result<T> result) {
  if (!result) {
    fmt::print(stderr, "error: {}\n", result.error().message);
    std::exit(1);
  }
  return std::move(*result);
}

json::Output shape(const json::Document& document, const answer::ShapeSettings& settings) {
  // A gateway always knows the call; without an id scalpel-v1 would have to hash the answer.
  static const answer::Call with_id{.request_id = "req_0123456789ab"};
  static const answer::Call plain;
  const bool demands_id = settings.contract == contract::Id::scalpel_v1;
  const answer::ReadAnswer understood = must(
      answer::read_answer(document, contract::Id::mcp, settings, demands_id ? with_id : plain));
  return must(answer::write_result(understood, settings));
}

std::size_t hand_out(const json::Output& output, Bytes bytes) {
  if (bytes != Bytes::slices) {
    const std::string text = output.str();
    asm volatile("" : : "r"(text.data()) : "memory");
    return text.size();
  }
  std::size_t written = 0;
  output.each([&](std::string_view slice) {
    asm volatile("" : : "r"(slice.data()) : "memory");
    written += slice.size();
  });
  return written;
}

}  // namespace

answer::ShapeSettings plain_settings() {
  answer::ShapeSettings settings;
  settings.channels = answer::Channels::structured;
  settings.redaction.reset();
  return settings;
}

OwningJob shaping(answer::ShapeSettings settings, Bytes bytes) {
  return [=](json::Buffer message) {
    const json::Document document =
        must(bytes == Bytes::copied ? json::parse(message.view(), settings.limits)
                                    : json::parse(std::move(message), settings.limits));
    return hand_out(shape(document, settings), bytes);
  };
}

OwningJob passing_through() {
  return [](json::Buffer message) {
    const json::Document document = must(json::parse(std::move(message)));
    answer::AnswerPlan plan;
    plan.contract.reset();
    plan.fit.shape.redaction.reset();  // off, as in plain_settings()
    auto passed = answer::begin(document.value(), plan, {});
    return hand_out(std::move(std::get_if<answer::ShapedAnswer>(&passed)->result), Bytes::slices);
  };
}

OwningJob parsing() {
  return [](json::Buffer message) {
    return must(json::parse(std::move(message))).root().raw().size();
  };
}

std::string shaped_text(std::string_view message, const answer::ShapeSettings& settings) {
  return shape(must(json::parse(message)), settings).str();
}

}  // namespace enfold::bench
