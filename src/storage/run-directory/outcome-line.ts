import type { Grade } from '../../core/grade.ts';
import type { Row } from '../../core/run.ts';
import { weightOf, type GradeWeight, type RowOutcome } from '../../core/row-outcome.ts';

/**
 * What comparing runs needs, of a line of results.jsonl without reading it whole; undefined where the line is not as this version writes
 * it. Inside of strings every quote has a backslash before it, so a key with its bare quotes is never part of a text;
 * only grades hold keys of other people.
 */
export function outcomeOfLine(line: string): RowOutcome | undefined {
  const suite = textAfter(line, '{"suite":"', 0);
  if (suite === undefined) return undefined;
  const caseId = textAfter(line, '","caseId":"', suite.end);
  if (caseId === undefined) return undefined;
  const target = textAfter(line, '","target":"', caseId.end);
  const gradesAt = line.indexOf(GRADES);
  const gradesEnd = line.lastIndexOf(OUTPUT);
  const rest = line.indexOf(AFTER_OUTPUT, gradesEnd);
  if (target === undefined || gradesAt < 0 || gradesEnd < gradesAt || rest < 0) return undefined;
  const verdictAt = after(line, '"verdict":"', target.end);
  const scoreAt = after(line, '"score":', verdictAt);
  const thresholdAt = after(line, '"threshold":', scoreAt);
  const digestAt = after(line, '"digests":{"case":', rest);
  const others = line.slice(digestAt, line.indexOf('}', digestAt) + 1);
  const [mocksAt, termsAt] = [after(others, '"mocks":', 0), after(others, '"terms":', 0)];
  const usage = spentBy(line, after(line, '"usage":{', rest));
  const cost = spentBy(line, after(line, '"costUsd":{', rest));
  if (verdictAt < 0 || thresholdAt < 0 || thresholdAt > gradesAt || digestAt < 0) return undefined;
  if (usage === undefined || cost === undefined) return undefined;
  const score = numberAt(line, scoreAt);
  const latencyAt = after(line, '"latency":', rest);
  return {
    suite: suite.text,
    caseId: caseId.text,
    target: target.text,
    verdict: line.slice(verdictAt, line.indexOf('"', verdictAt)) as Row['verdict'],
    score: Number.isNaN(score) ? null : score,
    threshold: numberAt(line, thresholdAt),
    ...(latencyAt < 0
      ? {}
      : { latency: JSON.parse(line.slice(latencyAt, line.indexOf(']', latencyAt) + 1)) as number[] }),
    caseDigest: numberAt(line, digestAt),
    ...(mocksAt < 0 ? {} : { mocksDigest: numberAt(others, mocksAt) }),
    ...(termsAt < 0 ? {} : { termsDigest: numberAt(others, termsAt) }),
    graders: gradersIn(line, gradesAt + GRADES.length - 1, gradesEnd + 1),
    tokens: usage < 0 ? undefined : numberAt(line, after(line, '"totalTokens":', usage)),
    costUsd: cost < 0 ? undefined : nullable(numberAt(line, cost)),
  };
}

const GRADES = ',"grades":[';
const OUTPUT = '],"output":';
const AFTER_OUTPUT = ',"durationMs":';
const AGENT = '"agent":';

interface Text {
  readonly text: string;
  /** Position of the closing quote. */
  readonly end: number;
}

/** The text behind a mark that stands exactly there; one with a backslash is left to a whole reading. */
function textAfter(line: string, mark: string, at: number): Text | undefined {
  if (!line.startsWith(mark, at)) return undefined;
  const start = at + mark.length;
  const end = line.indexOf('"', start);
  const part = line.slice(start, end);
  if (end < 0 || part.includes('\\')) return undefined;
  // A copy: a part of a line keeps the whole line in memory.
  return { text: ` ${part}`.slice(1), end };
}

/** Where the text behind the next such mark starts; -1 for none. */
function after(line: string, mark: string, from: number): number {
  const at = from < 0 ? -1 : line.indexOf(mark, from);
  return at < 0 ? -1 : at + mark.length;
}

/** Where the agent's part of an object starts; -1 when it has none, undefined when it is not the first. */
function spentBy(line: string, at: number): number | undefined {
  if (at < 0) return undefined;
  if (line.startsWith(AGENT, at)) return at + AGENT.length;
  return line[at] === '}' ? -1 : undefined;
}

/** NaN for null. */
function numberAt(line: string, at: number): number {
  let end = at;
  for (let code = line.charCodeAt(end); code !== COMMA && code !== BRACE; code = line.charCodeAt(end))
    end += 1;
  return Number(line.slice(at, end));
}

const COMMA = 44;
const BRACE = 125;

function nullable(number: number): number | null {
  return Number.isNaN(number) ? null : number;
}

/** Members and details may hold weights and digests that are not those of an expectation. */
function gradersIn(line: string, from: number, to: number): readonly GradeWeight[] {
  const nested = [line.indexOf('"members":', from), line.indexOf('"details":', from)];
  if (nested.some((at) => at >= 0 && at < to)) {
    return (JSON.parse(line.slice(from, to)) as Grade[]).map(weightOf);
  }
  const grades: GradeWeight[] = [];
  let at = after(line, WEIGHT, from);
  while (at >= 0 && at < to) {
    const found = after(line, WEIGHT, at);
    const end = found < 0 || found > to ? to : found;
    const [requiredAt, digestAt] = [after(line, REQUIRED, at), after(line, DIGEST, at)];
    grades.push({
      ...(digestAt < 0 || digestAt > end ? {} : { digest: numberAt(line, digestAt) }),
      weight: numberAt(line, at),
      ...(requiredAt < 0 || requiredAt > end ? {} : { required: numberAt(line, requiredAt) }),
    });
    at = found;
  }
  return grades;
}

const WEIGHT = '"weight":';
const REQUIRED = '"required":';
const DIGEST = '"digest":';
