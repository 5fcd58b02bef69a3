import { redactJson } from './redact-json.ts';
import { asBytes, type BytesRedactor, redactBytes } from './redact-bytes.ts';
import { type Hit, redactStream, type StreamRedactor } from './redact-stream.ts';
import { type NamedSecret, secretSpellings } from './secrets.ts';
import { SHAPES } from './shapes.ts';

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
  text(text: string): string;
  /** Whether `text` would be changed, in one cheap look: for chunks that are plain, escaped or URI-encoded alike. */
  touches(text: string): boolean;
  /** Texts and keys at every depth; the same value when there was nothing to hide. */
  json<T>(value: T): T;
  stream(): StreamRedactor;
  /** Of bytes that need not be text: secrets are found as UTF-8 and everything else stays as it is. */
  bytes(): BytesRedactor;
}

export function createRedactor(secrets: Secrets): Redactor {
  const named = secretSpellings(secrets);
  const extras = (secrets.extraPatterns ?? []).map(({ name, pattern }) => ({
    name,
    pattern: globally(pattern),
  }));
  const finder = hitFinder(named);
  const { holds, hits } = finder;
  const extra = (text: string): string =>
    extras.reduce(
      (rest, { name, pattern }) => rest.replace(pattern, (hit) => hit && `[redacted:${name}]`),
      text,
    );
  const text = (whole: string): string => extra(replaceHits(whole, hits(whole)));
  const byLine = extras.length > 0;
  let ofBytes: HitFinder | undefined;
  return {
    text,
    touches: (chunk) => holds(chunk) || (byLine && extra(chunk) !== chunk),
    json: (value) => redactJson(value, text),
    stream: () => redactStream({ ...finder, extra, byLine }),
    bytes() {
      ofBytes ??= hitFinder(new Map([...named].map(([secret, name]) => [asBytes(secret), asBytes(name)])));
      return redactBytes(redactStream({ ...ofBytes, extra, byLine }));
    },
  };
}

/** Finds literals, each under its name, and keys known by their looks. */
interface HitFinder {
  readonly literals: readonly string[];
  holds(text: string): boolean;
  hits(text: string, from?: number): readonly Hit[];
}

function hitFinder(named: ReadonlyMap<string, string>): HitFinder {
  const literals = [...named.keys()];
  // Two passes cost a third of one over the joined alternatives, which V8 cannot skip through.
  const anyLiteral = literals.length === 0 ? undefined : new RegExp(alternatives(literals));
  const anyShape = new RegExp(SHAPE_SOURCE);
  const every = new RegExp(
    [...(anyLiteral === undefined ? [] : [anyLiteral.source]), SHAPE_SOURCE].join('|'),
    'g',
  );

  const holds = (text: string): boolean => anyLiteral?.test(text) === true || anyShape.test(text);
  const hits = (text: string, from = 0): Hit[] => {
    if (!holds(text)) return [];
    every.lastIndex = from;
    const found: Hit[] = [];
    for (let match = every.exec(text); match !== null; match = every.exec(text)) {
      const mark = `[redacted:${named.get(match[0]) ?? shapeOf(match[0])}]`;
      found.push({ start: match.index, end: every.lastIndex, mark });
    }
    return found;
  };
  return { literals, holds, hits };
}

const SHAPE_SOURCE = SHAPES.map(({ source }) => source).join('|');

const WHOLE_SHAPES = SHAPES.map(({ name, source }) => ({ name, whole: new RegExp(`^(?:${source})$`) }));

function shapeOf(key: string): string {
  return WHOLE_SHAPES.find(({ whole }) => whole.test(key))?.name ?? 'key';
}

function alternatives(literals: readonly string[]): string {
  return literals.map((literal) => literal.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|');
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
