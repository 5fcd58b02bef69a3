/** Gives what several runs have in common the same numbers. */
export interface Numbering {
  /** The numbers of a run's list of digests, of which none stands there twice. */
  list(digests: readonly string[]): ArrayLike<number>;
  /** Of a text that is not in such a list: below -1, and never the number of a digest. */
  text(text: string): number;
  /** Cases have numbers of their own, from 0. */
  case(suite: string, caseId: string): NumberedCase;
}

export interface NumberedCase {
  readonly number: number;
  /** The same object on every side. */
  readonly name: CaseName;
}

export interface CaseName {
  readonly suite: string;
  readonly caseId: string;
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

/** The digests of the first run are numbered by their places; behind them come those that only others have. */
interface NumberedList {
  readonly digests: readonly string[];
  readonly more: (digest: string) => number;
}

/** Above this many digests that stand elsewhere they are looked up in a map of all. */
const FEW = 16;

/** Lists of two runs of one suite are almost the same, so that hardly any digest is looked for. */
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
