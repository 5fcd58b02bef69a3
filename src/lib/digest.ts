import { hash } from 'node:crypto';

import { canonicalJson } from './json.ts';

/** Lower-case hex sha-256 of a text (as UTF-8) or bytes. */
export function sha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

/** sha-256 of the RFC 8785 JSON of a value. */
export function digestOf(value: unknown): string {
  return sha256(canonicalJson(value));
}
