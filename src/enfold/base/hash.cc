// SPDX-License-Identifier: Apache-2.0
#include "enfold/base/hash.h"

#include "enfold/base/text.h"

#include <cstdlib>
#include <memory>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace enfold {
namespace {

// The callers fetch `algorithm` once and keep it: OpenSSL 3 looks it up by name, which is slow.
template <std::size_t Size>
std::array<std::uint8_t, Size> digest(const EVP_MD* algorithm, std::string_view bytes) {
  std::array<std::uint8_t, Size> out{};
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  const bool done = algorithm != nullptr && context != nullptr &&
                    EVP_DigestInit_ex(context.get(), algorithm, nullptr) == 1 &&
                    EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()) == 1 &&
                    EVP_DigestFinal_ex(context.get(), out.data(), nullptr) == 1;
  if (!done) std::abort();  // OpenSSL without the digest is a broken installation
  return out;
}

}  // namespace

std::array<std::uint8_t, 32> sha256(std::string_view bytes) {
  static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return digest<32>(algorithm, bytes);
}

std::array<std::uint8_t, 16> md5(std::string_view bytes) {
  static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "MD5", nullptr);
  return digest<16>(algorithm, bytes);
}

std::string sha256_name(std::string_view bytes) {
  const auto hash = sha256(bytes);
  return "sha256:" + to_hex(hash);
}

std::array<std::uint8_t, 32> hmac_sha256(std::string_view key, std::string_view bytes) {
  std::array<std::uint8_t, 32> out{};
  // OpenSSL reads a null key as "the key of the last call". HMAC pads keys with zeros, so one zero
  // byte is the same key as none.
  const std::string_view padded = key.empty() ? std::string_view("\0", 1) : key;
  const unsigned char* done =
      padded.size() > 0x7fffffff
          ? nullptr
          : HMAC(EVP_sha256(), padded.data(), static_cast<int>(padded.size()),
                 reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), out.data(),
                 nullptr);
  if (done == nullptr) std::abort();
  return out;
}

bool equal_in_constant_time(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace enfold
