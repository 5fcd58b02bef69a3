import type { Hit } from './redact-stream.ts';
import { SHAPES } from './shapes.ts';
import { webTokens } from './web-tokens.ts';

/** The text that replaces a secret. */
export function markOf(name: string): string {
  return `[redacted:${name}]`;
}

/** Finds literals, each with its mark, and keys with well-known forms. */
export interface HitFinder {
  /** The part of a secret that may begin at the end of a text. */
  literalsAt(text: string): readonly string[];
  hits(text: string, from?: number): readonly Hit[];
}

/** Finds secrets in the spelling that the marks have. */
export interface NarrowFinder extends HitFinder {
  holds(text: string): boolean;
}

export function hitFinder(marks: ReadonlyMap<string, string>): NarrowFinder {
  const literals = [...marks.keys()];
  // Two passes cost a third of one pass over joined alternatives, which V8 cannot skip through.
  const anyLiteral = literals.length === 0 ? undefined : new RegExp(alternatives(literals));
  const anyShape = new RegExp(SHAPE_SOURCE);
  const every = new RegExp(
    [...(anyLiteral === undefined ? [] : [anyLiteral.source]), SHAPE_SOURCE].join('|'),
    'g',
  );

  const mayMatch = (text: string): boolean => anyLiteral?.test(text) === true || anyShape.test(text);
  const holds = (text: string): boolean => mayMatch(text) || webTokens(text).length > 0;
  const matches = (text: string, from: number): Hit[] => {
    if (!mayMatch(text)) return [];
    every.lastIndex = from;
    const found: Hit[] = [];
    for (let match = every.exec(text); match !== null; match = every.exec(text)) {
      const mark = marks.get(match[0]) ?? markOf(shapeOf(match[0]));
      found.push({ start: match.index, end: every.lastIndex, mark });
    }
    return found;
  };
  const tokens = (text: string, from: number): Hit[] =>
    webTokens(text, from).map((place) => ({ ...place, mark: markOf('jwt') }));
  const hits = (text: string, from = 0) => apart(matches(text, from), tokens(text, from));
  return { literalsAt: () => literals, holds, hits };
}

/** In order; of overlapping hits, the later one loses the shared part and hides the rest. */
function apart(matches: readonly Hit[], tokens: readonly Hit[]): readonly Hit[] {
  if (tokens.length === 0) return matches;
  let free = 0;
  return [...matches, ...tokens]
    .sort((one, other) => one.start - other.start)
    .flatMap((hit) => {
      if (hit.end <= free) return [];
      const start = Math.max(hit.start, free);
      free = hit.end;
      return [{ ...hit, start }];
    });
}

const SHAPE_SOURCE = SHAPES.map(({ source }) => source).join('|');

const WHOLE_SHAPES = SHAPES.map(({ name, source }) => ({ name, whole: new RegExp(`^(?:${source})$`) }));

function shapeOf(key: string): string {
  return WHOLE_SHAPES.find(({ whole }) => whole.test(key))?.name ?? 'key';
}

function alternatives(literals: readonly string[]): string {
  return literals.map((literal) => literal.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join('|');
}
