import { type HitFinder, hitFinder } from './hit-finder.ts';
import { asUtf16 } from './redact-bytes.ts';
import type { Hit } from './redact-stream.ts';

/** Also finds keys with well-known forms whose characters have two bytes, one of them NUL. */
export function withWideKeys(finder: HitFinder): HitFinder {
  const hits = (text: string, from = 0) =>
    apart([...finder.hits(text, from), ...wideKeys(text).filter(({ start }) => start >= from)]);
  return { ...finder, hits };
}

const keys = hitFinder(new Map());

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

/** One character per two bytes from `first`, if the last or the first byte is NUL; otherwise NUL. */
function narrowed(text: string, first: number, order: number): string {
  const bytes = Buffer.from(text, 'latin1');
  const characters = Buffer.alloc((bytes.length - first) >> 1);
  for (let i = 0; i < characters.length; i += 1) {
    const at = first + 2 * i;
    if (bytes[at + 1 - order] === 0) characters[i] = bytes[at + order] ?? 0;
  }
  return characters.toString('latin1');
}

/** In order, without hits that begin inside another one. */
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
