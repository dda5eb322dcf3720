// SPDX-License-Identifier: Apache-2.0
#include "enfold/net/http/message.h"

#include <algorithm>

namespace enfold::net {
namespace {

// Whether the parameters, each after ';', have a weight and this is 0: ";q=0", "; q=0.000".
bool has_weight_zero(std::string_view parameters) {
  while (!parameters.empty()) {
    parameters.remove_prefix(1);
    const std::size_t end = std::min(parameters.find(';'), parameters.size());
    const std::string_view one = trimmed(parameters.substr(0, end));
    if (one.starts_with("q=0") || one.starts_with("Q=0")) {
      return one.find_first_not_of(".0", 2) == std::string_view::npos;
    }
    parameters.remove_prefix(end);
  }
  return false;
}

}  // namespace
namespace {

constexpr std::array<bool, 256> make_token_table() {
  std::array<bool, 256> table{};
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<std::size_t>(c)] = true;
  for (const char c : std::string_view("!#$%&'*+-.^_`|~"))
    table[static_cast<unsigned char>(c)] = true;
  return table;
}

}  // namespace

constinit const std::array<bool, 256> kTokenCharacters = make_token_table();

HeaderLines& HeaderLines::add(std::string_view name, std::string_view value) {
  const std::size_t begin = text_.size();
  text_.reserve(begin + name.size() + value.size() + 4);
  text_ += name;
  for (std::size_t i = begin; i < text_.size(); ++i)
    if (!is_token_character(text_[i])) text_[i] = '-';
  text_ += ": ";
  const std::size_t value_begin = text_.size();
  text_ += value;
  for (std::size_t i = value_begin; i < text_.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text_[i]);
    if ((byte < 0x20 && byte != '\t') || byte == 0x7F) text_[i] = ' ';
  }
  text_ += "\r\n";
  return *this;
}

std::string_view reason_phrase(int status) {
  switch (status) {
    case 100: return "Continue";
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 303: return "See Other";
    case 304: return "Not Modified";
    case 307: return "Temporary Redirect";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 411: return "Length Required";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 417: return "Expectation Failed";
    case 421: return "Misdirected Request";
    case 422: return "Unprocessable Content";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 505: return "HTTP Version Not Supported";
    default: return "Status";
  }
}

bool has_token(std::string_view list, std::string_view token) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const std::string_view item = list.substr(0, comma);
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
    const std::size_t end = std::min(item.find(';'), item.size());
    if (equals_ignoring_case(trimmed(item.substr(0, end)), token) &&
        !has_weight_zero(item.substr(end))) {
      return true;
    }
  }
  return false;
}

}  // namespace enfold::net
