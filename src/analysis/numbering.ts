import type { ComparedCase } from '../core/run-comparison.ts';

/** Assigns common numbers to the digests, texts and cases of several runs. */
export interface Numbering {
  /** The numbers of a run's list of digests, which has no duplicates. */
  list(digests: readonly string[]): ArrayLike<number>;
  /** The number of any other text: below -1, so never the number of a digest. */
  text(text: string): number;
  /** The number of a case, counted separately from 0. */
  case(suite: string, caseId: string): NumberedCase;
}

export interface NumberedCase {
  readonly number: number;
  /** The same object for all runs. */
  readonly name: ComparedCase;
}

export function numbering(): Numbering {
  const texts = numbersFrom(0);
  let first: NumberedList | undefined;
  return {
    text: (text) => -2 - texts(text),
    list: (digests) => {
      if (first !== undefined) return numbersBeside(first, digests);
      first = { digests, more: numbersFrom(digests.length) };
      return Int32Array.from(digests.keys());
    },
    case: numberedCases(),
  };
}

/** Digests of the first run are numbered by position, then those that only other runs have. */
interface NumberedList {
  readonly digests: readonly string[];
  readonly more: (digest: string) => number;
}

/** With more moved digests than this, a map of all digests is built. */
const FEW = 16;

/** Lists of two runs of one suite are almost equal, so few digests need a lookup. */
function numbersBeside({ digests: first, more }: NumberedList, digests: readonly string[]): Int32Array {
  const numbers = new Int32Array(digests.length);
  const moved: number[] = [];
  for (let i = 0; i < numbers.length; i++) {
    numbers[i] = i;
    if (digests[i] !== first[i]) moved.push(i);
  }
  const places = moved.length > FEW ? new Map(first.map((digest, place) => [digest, place])) : undefined;
  for (const i of moved) {
    const digest = digests[i] as string;
    const place = places === undefined ? first.indexOf(digest) : (places.get(digest) ?? -1);
    numbers[i] = place < 0 ? more(digest) : place;
  }
  return numbers;
}

function numberedCases(): Numbering['case'] {
  const bySuite = new Map<string, Map<string, NumberedCase>>();
  let next = 0;
  return (suite, caseId) => {
    let ofSuite = bySuite.get(suite);
    if (ofSuite === undefined) bySuite.set(suite, (ofSuite = new Map()));
    let numbered = ofSuite.get(caseId);
    if (numbered === undefined) ofSuite.set(caseId, (numbered = { number: next++, name: { suite, caseId } }));
    return numbered;
  };
}

function numbersFrom(start: number): (text: string) => number {
  const numbers = new Map<string, number>();
  return (text) => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    const number = start + numbers.size;
    numbers.set(text, number);
    return number;
  };
}
