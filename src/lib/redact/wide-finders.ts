import { type HitFinder, hitFinder } from './hit-finder.ts';
import { asBytes, asUtf16, everyOther } from './redact-bytes.ts';
import { withWideKeys } from './wide-keys.ts';

type Marks = ReadonlyMap<string, string>;

/** Finds secrets in text, also where UTF-16 was read as UTF-8, with a NUL between its characters. */
export function textFinder(marks: Marks): HitFinder {
  const narrow = hitFinder(marks);
  const joined = (nul: string) =>
    [...marks].map(([secret, mark]) => [secret.split('').join(nul), mark] as const);
  return onDemand({
    narrow,
    wide: () => hitFinder(new Map([...NULS.toReversed().flatMap(joined), ...marks])),
    mayBegin: (text) => text.includes(NUL) || text.includes('\\'),
    mayHold: (text) => NULS.some((nul) => text.includes(nul) && narrow.holds(text.replaceAll(nul, ''))),
  });
}

/**
 * Finds secrets and keys with well-known forms in bytes of UTF-8 or UTF-16; the mark has the encoding of its secret.
 */
export function bytesFinder(marks: Marks): HitFinder {
  const ofText = hitFinder(marks);
  const hasNul = (text: string) => text.includes(NUL);
  return onDemand({
    narrow: hitFinder(spelt(marks, [asBytes])),
    wide: () => withWideKeys(hitFinder(spelt(marks, [...asUtf16, asBytes]))),
    mayBegin: hasNul,
    mayHold: (text) => hasNul(text) && everyOther(text).some((half) => ofText.holds(half)),
  });
}

const NUL = '\0';

/** Unchanged, and as JSON escapes it. */
const NULS = [NUL, String.raw`\u0000`];

interface Finders {
  readonly narrow: HitFinder;
  /** Searching all spellings may take fifty times as long as searching the narrow ones. */
  wide(): HitFinder;
  /** Whether a secret that only the wide finder finds may begin in a text. */
  mayBegin(text: string): boolean;
  mayHold(text: string): boolean;
}

function onDemand({ narrow, wide: make, mayBegin, mayHold }: Finders): HitFinder {
  let made: HitFinder | undefined;
  const wide = () => (made ??= make());
  const finderFor = (text: string) => (mayHold(text) ? wide() : narrow);
  return {
    literalsAt: (text) => (mayBegin(text) ? wide() : narrow).literalsAt(text),
    hits: (text, from) => finderFor(text).hits(text, from),
  };
}

function spelt(marks: Marks, spellers: readonly ((text: string) => string)[]): Marks {
  return new Map(
    spellers.flatMap((spell) => [...marks].map(([secret, mark]) => [spell(secret), spell(mark)] as const)),
  );
}
