const decoder = new TextDecoder();

/** Decodes any bytes: invalid UTF-8 becomes U+FFFD, a byte order mark is removed. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
