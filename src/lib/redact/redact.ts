import { redactJson } from './redact-json.ts';
import { type HitFinder, markOf } from './hit-finder.ts';
import { jsonFinder } from './json-finder.ts';
import { type BytesRedactor, redactBytes } from './redact-bytes.ts';
import { type Hit, redactStream, type StreamRedactor } from './redact-stream.ts';
import { MIN_SECRET_LENGTH, type NamedSecret, secretSpellings } from './secrets.ts';
import { KEY_BYTE, KEY_CHARACTER } from './shapes.ts';
import { bytesFinder, textFinder } from './wide-finders.ts';

/** The secrets besides keys with well-known forms. */
export interface Secrets {
  /** Values of variables with KEY, TOKEN, SECRET or PASSWORD in their name are secret, from 8 characters. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Secrets from other places, from 8 characters, each with the name that replaces it. */
  readonly literals?: readonly NamedSecret[];
  /** Further variables with secret values. */
  readonly names?: Iterable<string>;
  /** Patterns of further secrets; in streams within one line. */
  readonly extraPatterns?: readonly { readonly name: string; readonly pattern: RegExp }[];
}

/** Replaces each secret by `[redacted:NAME]`. */
export interface Redactor {
  /** Its input; another thread can build the same redactor from a copy. */
  readonly secrets: Secrets;
  text(text: string): string;
  /** Whether `json` may change the value with this JSON; false is certain. */
  mayTouch(written: string): boolean;
  /** Redacts texts and keys at every depth; returns the same object when there are no secrets. */
  json<T>(value: T): T;
  stream(): StreamRedactor;
  /** For bytes that need not be text: finds secrets as UTF-8 and UTF-16, and leaves everything else unchanged. */
  bytes(): BytesRedactor;
}

export function createRedactor(secrets: Secrets): Redactor {
  const named = secretSpellings(secrets);
  const extras = (secrets.extraPatterns ?? []).map(({ name, pattern }) => ({
    name,
    pattern: globally(pattern),
  }));
  const marks = new Map([...named].map(([secret, name]) => [secret, markOf(name)] as const));
  const finder = textFinder(marks);
  const extra = (text: string): string =>
    extras.reduce((rest, { name, pattern }) => rest.replace(pattern, (hit) => hit && markOf(name)), text);
  const byLine = extras.length > 0;
  const text = (whole: string): string => {
    if (whole.length < MIN_SECRET_LENGTH && !byLine) return whole;
    return extra(replaceHits(whole, finder.hits(whole)));
  };
  let ofBytes: HitFinder | undefined;
  // A pattern of the author may look for what JSON escapes.
  const mayTouch = byLine ? () => true : jsonFinder(marks.keys());
  return {
    secrets,
    text,
    mayTouch,
    json: (value) => redactJson(value, text),
    stream: () => redactStream({ ...finder, extra, byLine, keyCharacter: KEY_CHARACTER }),
    bytes() {
      ofBytes ??= bytesFinder(marks);
      return redactBytes(redactStream({ ...ofBytes, extra, byLine, keyCharacter: KEY_BYTE }));
    },
  };
}

function globally(pattern: RegExp): RegExp {
  return pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`);
}

function replaceHits(text: string, hits: readonly Hit[]): string {
  let result = '';
  let position = 0;
  for (const { start, end, mark } of hits) {
    result += text.slice(position, start) + mark;
    position = end;
  }
  return hits.length === 0 ? text : result + text.slice(position);
}
