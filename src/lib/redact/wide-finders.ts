import { type HitFinder, hitFinder } from './hit-finder.ts';
import { asBytes, asUtf16, everyOther } from './redact-bytes.ts';

type Marks = ReadonlyMap<string, string>;

/** Finds secrets in text, also where UTF-16 was read as if it was UTF-8, with a NUL between its characters. */
export function textFinder(marks: Marks): HitFinder {
  const narrow = hitFinder(marks);
  const wide = () =>
    hitFinder(
      new Map([...[...marks].map(([secret, mark]) => [secret.split('').join(NUL), mark] as const), ...marks]),
    );
  return onDemand(narrow, wide, (text) => narrow.holds(text.replaceAll(NUL, '')));
}

/** Finds secrets of texts in bytes, written as UTF-8 or UTF-16; a mark is written as its secret was. */
export function bytesFinder(marks: Marks): HitFinder {
  const ofText = hitFinder(marks);
  const wide = () => hitFinder(spelt(marks, [...asUtf16, asBytes]));
  return onDemand(hitFinder(spelt(marks, [asBytes])), wide, (text) =>
    everyOther(text).some((half) => ofText.holds(half)),
  );
}

const NUL = '\0';

/** To search for all spellings may take fifty times as long as for the narrow ones: done where it may find something. */
function onDemand(
  narrow: HitFinder,
  makeWide: () => HitFinder,
  mayHold: (text: string) => boolean,
): HitFinder {
  let made: HitFinder | undefined;
  const wide = () => (made ??= makeWide());
  const finderFor = (text: string) => (text.includes(NUL) && mayHold(text) ? wide() : narrow);
  return {
    literalsAt: (text) => (text.includes(NUL) ? wide() : narrow).literalsAt(text),
    holds: (text) => finderFor(text).holds(text),
    hits: (text, from) => finderFor(text).hits(text, from),
  };
}

function spelt(marks: Marks, spellers: readonly ((text: string) => string)[]): Marks {
  return new Map(
    spellers.flatMap((spell) => [...marks].map(([secret, mark]) => [spell(secret), spell(mark)] as const)),
  );
}
