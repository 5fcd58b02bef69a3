import { redactJson } from './redact-json.ts';
import { type HitFinder, markOf } from './hit-finder.ts';
import { jsonFinder } from './json-finder.ts';
import { type BytesRedactor, redactBytes } from './redact-bytes.ts';
import { type Hit, redactStream, type StreamRedactor } from './redact-stream.ts';
import { MIN_SECRET_LENGTH, type NamedSecret, secretSpellings } from './secrets.ts';
import { KEY_BYTE, KEY_CHARACTER } from './shapes.ts';
import { bytesFinder, textFinder } from './wide-finders.ts';

/** What is secret besides keys of well-known looks. */
export interface Secrets {
  /** Values of variables whose names hold KEY, TOKEN, SECRET or PASSWORD are secret, from 8 characters on. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Secrets that stand somewhere else, from 8 characters on, each under the name it is hidden by. */
  readonly literals?: readonly NamedSecret[];
  /** Further variables whose values are secret. */
  readonly names?: Iterable<string>;
  /** What else is hidden; in streams within one line. */
  readonly extraPatterns?: readonly { readonly name: string; readonly pattern: RegExp }[];
}

/** Puts `[redacted:NAME]` where a secret stood. */
export interface Redactor {
  /** What it was made of; another thread makes the same of a copy. */
  readonly secrets: Secrets;
  text(text: string): string;
  /** Whether `json` may change the value that this is the JSON of; a no is certain. */
  mayTouch(written: string): boolean;
  /** Texts and keys at every depth; the same value when there was nothing to hide. */
  json<T>(value: T): T;
  stream(): StreamRedactor;
  /** Of bytes that need not be text: secrets are found as UTF-8 and UTF-16, and everything else stays as it is. */
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
