import { type HitFinder, hitFinder } from './hit-finder.ts';
import { asBytes, asUtf16, everyOther } from './redact-bytes.ts';

type Marks = ReadonlyMap<string, string>;

/**
 * Finds secrets of texts in bytes, written as UTF-8 or UTF-16; a mark is written as its secret was. To search for all
 * of them takes fifty times as long as for UTF-8 alone, and is done where every other byte reads like a secret.
 */
export function bytesFinder(marks: Marks): HitFinder {
  const ofText = hitFinder(marks);
  const narrow = hitFinder(spelt(marks, [asBytes]));
  let wide: HitFinder | undefined;
  const all = () => (wide ??= hitFinder(spelt(marks, [...asUtf16, asBytes])));
  const mayBeWide = (text: string) =>
    text.includes('\0') && everyOther(text).some((half) => ofText.holds(half));
  const finderFor = (text: string) => (mayBeWide(text) ? all() : narrow);
  return {
    literalsAt: (text) => (text.includes('\0') ? all() : narrow).literalsAt(text),
    holds: (text) => finderFor(text).holds(text),
    hits: (text, from) => finderFor(text).hits(text, from),
  };
}

function spelt(marks: Marks, spellers: readonly ((text: string) => string)[]): Marks {
  return new Map(
    spellers.flatMap((spell) => [...marks].map(([secret, mark]) => [spell(secret), spell(mark)] as const)),
  );
}
