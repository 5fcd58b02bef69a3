import type { GradeWeight, RowOutcome } from '../../core/row-outcome.ts';
import type { Row } from '../../core/run.ts';
import { eachItem, memberReader, standsAt, valueEnd } from './json-members.ts';

/**
 * Reads the part of a results.jsonl line that comparisons need, without parsing the rest. Undefined if the
 * line is not formatted as assay writes it.
 */
type ReadOutcome = (line: Buffer) => RowOutcome | undefined;

/** Creates a reader for the lines of one file. Repeated values share one string. */
export function outcomeReader(): ReadOutcome {
  const texts: Texts = { suite: repeatedText(), target: repeatedText(), verdict: repeatedText() };
  return (line) => {
    const found: Partial<Found> = { graders: NO_GRADERS };
    try {
      rowMembers(line, 0, (key, start) => takeMember({ line, found, texts }, key, start));
    } catch {
      return undefined;
    }
    return isWhole(found) ? found : undefined;
  };
}

type Found = { -readonly [Key in keyof RowOutcome]: RowOutcome[Key] };

const NO_GRADERS: readonly GradeWeight[] = [];

function isWhole(found: Partial<Found>): found is RowOutcome {
  return found.suite !== undefined && found.threshold !== undefined && found.caseDigest !== undefined;
}

const rowMembers = memberReader([
  'suite',
  'caseId',
  'target',
  'verdict',
  'score',
  'threshold',
  'cached',
  'latency',
  'grades',
  'usage',
  'costUsd',
  'digests',
]);
const gradeMembers = memberReader(['digest', 'weight', 'required']);
const spenderMembers = memberReader(['agent']);
const usageMembers = memberReader(['totalTokens']);
const digestMembers = memberReader(['case', 'mocks', 'terms']);

type RowKey = Parameters<Parameters<typeof rowMembers>[2]>[0];

/** A line, the values found so far, and the values of earlier lines. */
interface Reading {
  readonly line: Buffer;
  readonly found: Partial<Found>;
  readonly texts: Texts;
}

type Texts = Readonly<Record<'suite' | 'target' | 'verdict', RepeatedText>>;

function takeMember({ line, found, texts }: Reading, key: RowKey, start: number): number {
  switch (key) {
    case 'latency':
      found.latency = [];
      return eachNumber(line, start, found.latency as number[]);
    case 'grades':
      found.graders = [];
      return takeGraders(line, start, found.graders as GradeWeight[]);
    case 'usage':
      return spenderMembers(line, start, (_, agent) =>
        usageMembers(line, agent, (_key, at) => {
          const end = valueEnd(line, at);
          found.tokens = numberIn(line, at, end);
          return end;
        }),
      );
    case 'costUsd':
      return spenderMembers(line, start, (_, at) => {
        const end = valueEnd(line, at);
        found.costUsd = numberOrNullIn(line, at, end);
        return end;
      });
    case 'digests':
      return takeDigests(line, start, found);
  }
  const end = valueEnd(line, start);
  if (key === 'cached') found.isCached = true;
  else if (key === 'caseId') found.caseId = textIn(line, start, end);
  else if (key === 'suite') found.suite = texts.suite(line, start, end);
  else if (key === 'target') found.target = texts.target(line, start, end);
  else if (key === 'verdict') found.verdict = texts.verdict(line, start, end) as Row['verdict'];
  else if (key === 'score') found.score = numberOrNullIn(line, start, end);
  else found.threshold = numberIn(line, start, end);
  return end;
}

function takeDigests(line: Buffer, at: number, found: Partial<Found>): number {
  return digestMembers(line, at, (key, start) => {
    const end = valueEnd(line, start);
    const number = numberIn(line, start, end);
    if (key === 'case') found.caseDigest = number;
    else if (key === 'mocks') found.mocksDigest = number;
    else found.termsDigest = number;
    return end;
  });
}

function takeGraders(line: Buffer, at: number, graders: GradeWeight[]): number {
  return eachItem(line, at, (place) => {
    const grader: { digest?: number; weight: number; required?: number } = { weight: Number.NaN };
    graders.push(grader);
    return gradeMembers(line, place, (key, start) => {
      const end = valueEnd(line, start);
      grader[key] = numberIn(line, start, end);
      return end;
    });
  });
}

function eachNumber(line: Buffer, at: number, numbers: number[]): number {
  return eachItem(line, at, (start) => {
    const end = valueEnd(line, start);
    numbers.push(numberIn(line, start, end));
    return end;
  });
}

type RepeatedText = (line: Buffer, start: number, end: number) => string;

/** Returns the same string while the bytes stay the same. */
function repeatedText(): RepeatedText {
  let bytes: Buffer = Buffer.alloc(0);
  let text = '';
  return (line, start, end) => {
    if (end - start !== bytes.length || !standsAt(line, start, bytes)) {
      bytes = Buffer.from(line.subarray(start, end));
      text = textIn(line, start, end);
    }
    return text;
  };
}

function textIn(line: Buffer, start: number, end: number): string {
  for (let place = start; place < end; place++) {
    const byte = line[place] as number;
    if (byte >= 0x80 || byte === BACKSLASH) return JSON.parse(line.toString('utf8', start, end)) as string;
  }
  return line.toString('latin1', start + 1, end - 1);
}

function numberOrNullIn(line: Buffer, start: number, end: number): number | null {
  return line[start] === LETTER_N ? null : numberIn(line, start, end);
}

/** Fast path: most numbers are short integers. */
function numberIn(line: Buffer, start: number, end: number): number {
  let number = 0;
  for (let place = start; place < end; place++) {
    const digit = (line[place] as number) - DIGIT_0;
    if (digit < 0 || digit > 9 || end - start > 9) return Number(line.toString('latin1', start, end));
    number = number * 10 + digit;
  }
  return number;
}

const BACKSLASH = 92;
const DIGIT_0 = 48;
const LETTER_N = 110;
