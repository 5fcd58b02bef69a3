const decoder = new TextDecoder();

/** Text of bytes that may be anything: invalid UTF-8 becomes U+FFFD, a byte order mark is dropped. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
