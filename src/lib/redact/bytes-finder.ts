import { type HitFinder, hitFinder } from './hit-finder.ts';
import { asBytes, asUtf16, everyOther } from './redact-bytes.ts';
import type { Hit } from './redact-stream.ts';

type Marks = ReadonlyMap<string, string>;

/**
 * Finds secrets and keys known by their looks in bytes, written as UTF-8 or UTF-16; a mark is written as its secret was.
 * To search for all of them takes fifty times as long as for UTF-8 alone, and is done where every other byte reads like
 * a secret.
 */
export function bytesFinder(marks: Marks): HitFinder {
  const ofText = hitFinder(marks);
  const narrow = hitFinder(spelt(marks, [asBytes]));
  let wide: HitFinder | undefined;
  const all = () => (wide ??= hitFinder(spelt(marks, [...asUtf16, asBytes])));
  const mayBeWide = (text: string) =>
    text.includes('\0') && everyOther(text).some((half) => ofText.holds(half));
  return {
    literalsAt: (text) => (text.includes('\0') ? all() : narrow).literalsAt(text),
    holds: (text) => (mayBeWide(text) ? hitsOfAll(text, 0).length > 0 : narrow.holds(text)),
    hits: (text, from = 0) => (mayBeWide(text) ? hitsOfAll(text, from) : narrow.hits(text, from)),
  };

  function hitsOfAll(text: string, from: number): readonly Hit[] {
    return apart([...all().hits(text, from), ...wideKeys(text).filter(({ start }) => start >= from)]);
  }
}

const keys = hitFinder(new Map());

/** Keys whose characters are two bytes each, one of them NUL. */
function wideKeys(text: string): readonly Hit[] {
  return asUtf16.flatMap((spell, order) =>
    [0, 1].flatMap((first) =>
      keys.hits(narrowed(text, first, order)).map(({ start, end, mark }) => ({
        start: first + 2 * start,
        end: first + 2 * end,
        mark: spell(mark),
      })),
    ),
  );
}

/** A character for each two bytes from `first` on, whose NUL is the last or the first of them; what has none is NUL. */
function narrowed(text: string, first: number, order: number): string {
  const bytes = Buffer.from(text, 'latin1');
  const characters = Buffer.alloc((bytes.length - first) >> 1);
  for (let i = 0; i < characters.length; i += 1) {
    const at = first + 2 * i;
    if (bytes[at + 1 - order] === 0) characters[i] = bytes[at + order] ?? 0;
  }
  return characters.toString('latin1');
}

/** In order, without those that begin inside of another one. */
function apart(hits: readonly Hit[]): readonly Hit[] {
  let free = 0;
  return hits
    .toSorted((one, other) => one.start - other.start || other.end - one.end)
    .filter(({ start, end }) => {
      const isFree = start >= free;
      if (isFree) free = end;
      return isFree;
    });
}

function spelt(marks: Marks, spellers: readonly ((text: string) => string)[]): Marks {
  return new Map(
    spellers.flatMap((spell) => [...marks].map(([secret, mark]) => [spell(secret), spell(mark)] as const)),
  );
}
