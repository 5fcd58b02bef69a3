import type { ErrorDetail } from '../../core/error-code.ts';
import { BudgetSpent, MeasurementError, messageOf, isMalformedAnswer } from '../../core/errors.ts';
import type { Judge, JudgeRequest } from '../../core/judge.ts';
import type { ModelAnswer, ModelMessage } from '../../core/model.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import { fence, lineText, nonceOf, type MaterialLine } from './fence.ts';
import type { MaterialPart } from './material.ts';
import { closingText, systemText, type Question } from './question.ts';
import { readAnswer } from './read-answer.ts';
import { headAndTail } from './shorten.ts';
import { nothingSpent, withAnswer, withUnknown, type Spent } from './spent.ts';

/** The result of asking: an answer, or a reason why there is no usable one. Both have a cost. */
export type Asked<Answer> = { readonly spent: Spent; readonly notes: readonly string[] } & (
  | { readonly answer: Answer; readonly failure?: undefined }
  | { readonly answer?: undefined; readonly failure: JudgeFailure }
);

export interface JudgeFailure {
  /** judge-invalid, judge-overflow, judge-timeout, judge-unavailable. */
  readonly code: ErrorDetail;
  readonly reason: string;
  /** The judge's text, if it was unusable. */
  readonly raw?: string;
}

export interface Asking {
  readonly judge: Judge;
  readonly redact: (text: string) => string;
  /** What happens to material that is too long: shorten it, or fail with or without offering that. */
  readonly overflow: 'head_tail' | 'offered' | 'refused';
  /** Repetition of the trial, from 1. */
  readonly repetition?: number;
  /** Number among equal questions, from 1. */
  readonly sample: number;
  readonly signal: AbortSignal;
  /** Called once per question: replaces the way its requests are answered. Default: the judge without tools. */
  readonly answering?: (signal: AbortSignal) => (request: OneRequest) => Promise<ModelAnswer>;
}

export interface OneRequest {
  readonly messages: readonly ModelMessage[];
  readonly schema: JsonObject;
  readonly nonce: string;
  /** Parts of the cassette key. */
  readonly place: Pick<JudgeRequest, 'repetition' | 'sample'>;
  /** Adds the cost of a request other than the last one. */
  readonly count: (answer: ModelAnswer) => void;
  /** Set when no further request follows: whether the answer is readable. */
  readonly isUsable?: (answer: ModelAnswer) => boolean;
  /** Receives further material that the judge sees, as text. */
  readonly show: (text: string) => void;
}

/** How often the judge is asked again after an unusable answer. */
const RE_ASKS = 2;

/** Asks a judge until its answer has the required format; an unusable answer is never a score. */
export async function askJudge<Answer>(question: Question<Answer>, asking: Asking): Promise<Asked<Answer>> {
  const { judge, signal } = asking;
  const clean = question.material.map((part) => redacted(part, asking.redact));
  const fitted = fit(clean, asking);
  if (fitted === undefined) return { spent: nothingSpent, notes: [], failure: tooLong(clean, asking) };
  const nonce = nonceOf(fitted.lines);
  const material = fence(fitted.lines, nonce);
  const system = asking.redact(systemText(question, nonce));
  const answerTo = asking.answering?.(signal) ?? directly(asking);
  const place = placeOf(asking);
  const shown = fitted.lines.map(({ value }) => JSON.stringify(value));
  const show = (text: string) => void shown.push(text);
  let spent = nothingSpent;
  let fault: string | undefined;
  let raw = '';
  const count = (answer: ModelAnswer) => {
    spent = withAnswer(spent, answer);
  };
  for (let asks = 0; asks <= RE_ASKS; asks++) {
    const messages: readonly ModelMessage[] = [
      { role: 'system', text: system },
      { role: 'user', parts: [{ text: `${material}\n\n${closingText(fault)}` }] },
    ];
    const read = (answer: ModelAnswer) => readAnswer(answer, question.form, shown);
    const last = asks < RE_ASKS ? {} : { isUsable: (answer: ModelAnswer) => 'answer' in read(answer) };
    try {
      const { schema } = question.form;
      const answer = await answerTo({ messages, schema, nonce, place, count, show, ...last });
      count(answer);
      const found = read(answer);
      if ('answer' in found)
        return { answer: found.answer, spent, notes: [...fitted.notes, ...(answer.notes ?? [])] };
      ({ fault } = found);
      raw = answer.text;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof MeasurementError && error.isCostUnknown) spent = withUnknown(spent);
      return { spent, notes: fitted.notes, failure: outOfReach(error, judge) };
    }
  }
  const reason = `the judge ${judge.name} gave no usable answer in ${RE_ASKS + 1} attempts: ${fault}`;
  return {
    spent,
    notes: fitted.notes,
    failure: { code: 'judge-invalid', reason, raw: asking.redact(raw) },
  };
}

function directly({ judge, signal }: Asking): (request: OneRequest) => Promise<ModelAnswer> {
  return ({ messages, schema, place, isUsable }) =>
    judge.ask({ messages, schema, ...place, ...given({ isUsable }) }, signal);
}

function placeOf({ repetition, sample }: Asking): OneRequest['place'] {
  return { sample, ...given({ repetition }) };
}

function redacted(part: MaterialPart, redact: (text: string) => string): MaterialPart {
  return {
    ...part,
    lines: part.lines.map(({ label, value }) => ({ label, value: redactedValue(value, redact) })),
  };
}

function redactedValue(
  value: MaterialLine['value'],
  redact: (text: string) => string,
): MaterialLine['value'] {
  if (typeof value === 'string') return redact(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redactedValue(item, redact));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [redact(key), redactedValue(member ?? null, redact)]),
  );
}

interface Fitted {
  readonly lines: readonly MaterialLine[];
  readonly notes: readonly string[];
}

/** The lines of the material, shortened if allowed; undefined when they are too long. */
function fit(material: readonly MaterialPart[], { judge, overflow }: Asking): Fitted | undefined {
  const size = sizeOf(material);
  if (size <= judge.maxInputChars) return { lines: linesOf(material), notes: [] };
  if (overflow !== 'head_tail') return undefined;
  const kept = headAndTail(material, judge.maxInputChars, lineSize);
  if (sizeOf(kept) > judge.maxInputChars) return undefined;
  const note = `the material was shortened for the judge ${judge.name}: it has ${size} characters, and the limit is ${judge.maxInputChars}`;
  return { lines: linesOf(kept), notes: [note] };
}

function linesOf(material: readonly MaterialPart[]): readonly MaterialLine[] {
  return material.flatMap(({ lines }) => lines);
}

function sizeOf(material: readonly MaterialPart[]): number {
  return linesOf(material).reduce((sum, line) => sum + lineSize(line) + 1, 0);
}

/** Random enough that no text contains this mark, so that no line is changed. */
function lineSize(line: MaterialLine): number {
  return lineText(line, '\n').length;
}

function tooLong(material: readonly MaterialPart[], { judge, overflow }: Asking): JudgeFailure {
  const { name, maxInputChars } = judge;
  const parts = material
    .map((part) => ({ name: part.name, size: sizeOf([part]) }))
    .toSorted((left, right) => right.size - left.size);
  const longest = parts[0] === undefined ? '' : ` (${parts[0].name}: ${parts[0].size})`;
  const reason = `the text for the judge ${name} has ${sizeOf(material)} characters${longest}, but its limit is ${maxInputChars}; ${OVERFLOW_HINTS[overflow]}`;
  return { code: 'judge-overflow', reason };
}

const OVERFLOW_HINTS = {
  head_tail: 'raise `max_input_chars` of the judge, because even the shortened text is too long',
  offered: 'raise `max_input_chars` of the judge, or use `overflow: head_tail`',
  refused:
    'raise `maxInputChars` of the judge if its model allows, or end conversations earlier with `max_turns`',
};

function outOfReach(error: unknown, { name }: Judge): JudgeFailure {
  // A spent budget ends the run; it is not a failure of the judge.
  if (error instanceof BudgetSpent) throw error;
  const { kind, detail, hint } =
    error instanceof MeasurementError ? error : { kind: undefined, detail: undefined, hint: undefined };
  const told = `${messageOf(error)}${hint === undefined ? '' : ` (${hint})`}`;
  if (detail === 'context-length') {
    return { code: 'judge-overflow', reason: `the text for the judge ${name} is too long: ${told}` };
  }
  if (kind === 'timeout') {
    return { code: 'judge-timeout', reason: `the judge ${name} timed out: ${told}` };
  }
  if (isMalformedAnswer(error)) {
    return { code: 'judge-unavailable', reason: `the judge ${name} gave an invalid answer: ${told}` };
  }
  return { code: 'judge-unavailable', reason: `the judge ${name} could not be reached: ${told}` };
}
