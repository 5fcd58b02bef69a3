import { hitFinder } from './hit-finder.ts';
import { insideJson } from './spellings.ts';

/**
 * Tells whether a text or a key of a JSON text may hold one of these literals or a key known by its looks. A no is
 * certain; a yes may come from two texts that stand side by side.
 */
export function jsonFinder(literals: Iterable<string>): (json: string) => boolean {
  const escaped = [...literals].map((literal) => [insideJson(literal), ''] as const);
  // Whether half a character is escaped depends on its neighbour.
  if (escaped.some(([literal]) => HALF_CHARACTER.test(literal))) return () => true;
  const { holds } = hitFinder(new Map(escaped));
  // Characters with a NUL between them are escaped one by one.
  return (json) => json.includes(NUL) || holds(json);
}

const HALF_CHARACTER = /\\ud[89a-f][0-9a-f]{2}/;

const NUL = String.raw`\u0000`;
