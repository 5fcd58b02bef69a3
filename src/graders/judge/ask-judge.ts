import type { ErrorDetail } from '../../core/error-code.ts';
import { BudgetSpent, MeasurementError, messageOf } from '../../core/errors.ts';
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

/** What came of asking: an answer, or why there is none. Either way it has cost something. */
export type Asked<Answer> = { readonly spent: Spent; readonly notes: readonly string[] } & (
  | { readonly answer: Answer; readonly failure?: undefined }
  | { readonly answer?: undefined; readonly failure: JudgeFailure }
);

export interface JudgeFailure {
  /** judge-invalid, judge-overflow, judge-timeout, judge-unavailable. */
  readonly code: ErrorDetail;
  readonly reason: string;
  /** What the judge said instead, if it said something. */
  readonly raw?: string;
}

export interface Asking {
  readonly judge: Judge;
  readonly redact: (text: string) => string;
  /** Of what is too long: head and tail, an error that offers them, or an error. */
  readonly overflow: 'head_tail' | 'offered' | 'refused';
  /** Of the trial, from 1. */
  readonly repetition?: number;
  /** Which of several equal questions, from 1. */
  readonly sample: number;
  readonly signal: AbortSignal;
  /** Called once for each question: how its requests are answered; default: by the judge, without tools. */
  readonly answering?: (signal: AbortSignal) => (request: OneRequest) => Promise<ModelAnswer>;
}

export interface OneRequest {
  readonly messages: readonly ModelMessage[];
  readonly schema: JsonObject;
  readonly nonce: string;
  /** Parts of a cassette's key. */
  readonly place: Pick<JudgeRequest, 'repetition' | 'sample'>;
  /** Counts what a request besides the last one cost. */
  readonly count: (answer: ModelAnswer) => void;
  /** Set where nothing is asked after this: whether the answer can be read. */
  readonly isUsable?: (answer: ModelAnswer) => boolean;
  /** Takes material that the judge is shown besides the question, as text. */
  readonly show: (text: string) => void;
}

/** Re-asks after an answer that cannot be used. */
const RE_ASKS = 2;

/** Asks a judge one question until it answers in the form asked for; an unusable answer is never a score. */
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
  const reason = `the judge ${judge.name} gave no usable answer in ${RE_ASKS + 1} tries: ${fault}`;
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

/** The lines of the material as far as the judge takes them; undefined when they are too long. */
function fit(material: readonly MaterialPart[], { judge, overflow }: Asking): Fitted | undefined {
  const size = sizeOf(material);
  if (size <= judge.maxInputChars) return { lines: linesOf(material), notes: [] };
  if (overflow !== 'head_tail') return undefined;
  const kept = headAndTail(material, judge.maxInputChars, lineSize);
  if (sizeOf(kept) > judge.maxInputChars) return undefined;
  const note = `the judge saw head and tail only: the material has ${size} characters, and ${judge.name} is given ${judge.maxInputChars}`;
  return { lines: linesOf(kept), notes: [note] };
}

function linesOf(material: readonly MaterialPart[]): readonly MaterialLine[] {
  return material.flatMap(({ lines }) => lines);
}

function sizeOf(material: readonly MaterialPart[]): number {
  return linesOf(material).reduce((sum, line) => sum + lineSize(line) + 1, 0);
}

/** No text can hold this mark by chance, so that no line gets longer by spelling it out. */
function lineSize(line: MaterialLine): number {
  return lineText(line, '\n').length;
}

function tooLong(material: readonly MaterialPart[], { judge, overflow }: Asking): JudgeFailure {
  const { name, maxInputChars } = judge;
  const parts = material
    .map((part) => ({ name: part.name, size: sizeOf([part]) }))
    .toSorted((left, right) => right.size - left.size);
  const longest = parts[0] === undefined ? '' : ` (${parts[0].name}: ${parts[0].size})`;
  const reason = `the material has ${sizeOf(material)} characters${longest}, and the judge ${name} is given at most ${maxInputChars}; nothing was cut: ${OVERFLOW_HINTS[overflow]}`;
  return { code: 'judge-overflow', reason };
}

const OVERFLOW_HINTS = {
  head_tail: 'raise max_input_chars of the judge: not even head and tail fit',
  offered: 'raise max_input_chars of the judge, or choose overflow: head_tail',
  refused:
    'raise maxInputChars of the judge, as far as its model can read, or end conversations earlier with max_turns',
};

function outOfReach(error: unknown, { name }: Judge): JudgeFailure {
  // Money that is used up ends the run; it is no failure of the judge.
  if (error instanceof BudgetSpent) throw error;
  const { kind, detail, hint } =
    error instanceof MeasurementError ? error : { kind: undefined, detail: undefined, hint: undefined };
  const told = `${messageOf(error)}${hint === undefined ? '' : ` (${hint})`}`;
  if (detail === 'context-length') {
    return { code: 'judge-overflow', reason: `the material is too long for the judge ${name}: ${told}` };
  }
  if (kind === 'timeout') {
    return { code: 'judge-timeout', reason: `the judge ${name} did not answer in time: ${told}` };
  }
  return { code: 'judge-unavailable', reason: `the judge ${name} could not be asked: ${told}` };
}
