const strict = new TextDecoder('utf-8', { fatal: true });
const lenient = new TextDecoder('utf-8');

/** The text of bytes; invalid sequences become U+FFFD. Undefined for bytes with NUL: those are no text. */
export function decodeUtf8Text(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return strict.decode(bytes);
  } catch {
    return lenient.decode(bytes);
  }
}
