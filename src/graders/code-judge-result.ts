import * as z from 'zod';

import { MeasurementError } from '../core/errors.ts';
import type { Evidence, Finding } from '../core/grade.ts';
import type { JsonObject, JsonValue } from '../lib/json.ts';
import { foreignObject } from '../lib/text/json-depth.ts';

export interface ScriptEnd {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Thrown when the output of a script is unusable; `details` contain the ends of both streams. */
export class ScriptError extends MeasurementError {
  readonly details: JsonObject;

  constructor(what: string, end: ScriptEnd, hint?: string) {
    super(`${what}\n${streams(end, SHOWN)}`, { stage: 'grading', kind: 'grader', hint });
    this.name = 'ScriptError';
    const { exitCode, signal, stdout, stderr } = end;
    this.details = { exitCode, signal, stdout: ending(stdout, KEPT), stderr: ending(stderr, KEPT) };
  }
}

/** The grade of an ended script: its JSON object, else its exit code without output. Throws a ScriptError. */
export function findingOf(end: ScriptEnd): Finding {
  const { exitCode, stdout, stderr } = end;
  if (exitCode === null || exitCode >= 64)
    throw new ScriptError(`the script ${endedBy(end)}`, end, NOT_A_GRADE);
  const answer = answerIn(stdout);
  if (answer !== undefined) return findingOfAnswer(answer, end);
  if (exitCode === 0 && stdout.trim() === '')
    return { score: 1, reason: 'the script exited with 0 and no output' };
  if (exitCode === 1 && stderr.trim() === '')
    return { score: 0, reason: saying('the script exited with 1', stdout) };
  throw new ScriptError(`the script ${endedBy(end)} and printed no JSON object with a score`, end, ANSWER);
}

/** The grade of an ended test runner: only its exit code counts. */
export function findingOfExitCode(end: ScriptEnd): Finding {
  const { exitCode, stdout, stderr } = end;
  const words = stdout.trim() === '' ? stderr : stdout;
  if (exitCode === 0) return { score: 1, reason: saying('the script exited with 0', words) };
  if (exitCode === 1) return { score: 0, reason: saying('the script exited with 1', words) };
  throw new ScriptError(
    `the script ${endedBy(end)}`,
    end,
    'with `result: exit_code`, exit with 0 to pass or 1 to fail',
  );
}

/** The last `length` characters, with a mark when text before them was cut. */
export function ending(text: string, length: number): string {
  const trimmed = text.trimEnd();
  return trimmed.length <= length ? trimmed : `... ${trimmed.slice(-length)}`;
}

const SHOWN = 1_000;
const KEPT = 8_000;
const ANSWER = 'print one line of JSON with a score from 0 to 1, or nothing and exit with 0 or 1';
const NOT_A_GRADE = 'print a grade as JSON, or exit with 0 or 1';

function streams({ stdout, stderr }: ScriptEnd, length: number): string {
  const shown = (text: string) => (text.trim() === '' ? '(empty)' : ending(text, length));
  return `stdout: ${shown(stdout)}\nstderr: ${shown(stderr)}`;
}

function endedBy({ exitCode, signal }: ScriptEnd): string {
  return exitCode === null ? `was ended by ${signal ?? 'a signal'}` : `exited with ${exitCode}`;
}

function saying(what: string, words: string): string {
  return words.trim() === '' ? what : `${what}: ${ending(words, SHOWN)}`;
}

/** The JSON object that is the whole output, or its last line. */
function answerIn(stdout: string): Record<string, unknown> | undefined {
  const text = stdout.trim();
  return objectIn(text) ?? objectIn(text.slice(text.lastIndexOf('\n') + 1).trim());
}

function objectIn(text: string): Record<string, unknown> | undefined {
  return text.startsWith('{') && text.endsWith('}') ? foreignObject(text) : undefined;
}

const turn = z.lazy(() => z.int().positive());
const texts = z.lazy(() => z.array(z.string()).nullish());
const json = z.custom<JsonValue>();
const SCORE = 'must be a number from 0 to 1';
const answerShape = z.lazy(() =>
  z.looseObject({
    score: z
      .number({ error: ({ input }) => (input === undefined ? 'is missing' : SCORE) })
      .min(0, SCORE)
      .max(1, SCORE),
    passed: z.boolean().nullish(),
    reason: z.string().nullish(),
    reasoning: z.string().nullish(),
    hits: texts,
    misses: texts,
    evidence: z
      .array(
        z.looseObject({
          text: z.string(),
          passed: z.boolean(),
          turn: turn.nullish(),
          turns: z.array(turn).nullish(),
        }),
      )
      .nullish(),
    details: json.optional(),
  }),
);

type Answer = z.infer<typeof answerShape>;

/** Not read from the shape: to unwrap it makes it anew, which takes longer than most grades. */
const KEYS: ReadonlySet<string> = new Set([
  'score',
  'passed',
  'reason',
  'reasoning',
  'hits',
  'misses',
  'evidence',
  'details',
] satisfies readonly (keyof Answer)[]);

function findingOfAnswer(said: Record<string, unknown>, end: ScriptEnd): Finding {
  const checked = answerShape.safeParse(said);
  if (!checked.success)
    throw new ScriptError(
      `the output of the script is not a valid grade: ${problemsOf(checked.error)}`,
      end,
      ANSWER,
    );
  const answer = checked.data;
  const evidence = evidenceOf(answer);
  const strange = Object.keys(said).filter((key) => !KEYS.has(key));
  return {
    score: answer.score,
    ...(answer.passed == null ? {} : { passed: answer.passed }),
    reason: reasonOf(answer),
    ...(evidence.length === 0 ? {} : { evidence }),
    ...(answer.details == null ? {} : { details: answer.details }),
    ...(strange.length === 0
      ? {}
      : { notes: [`the output of the script has unknown keys: ${strange.join(', ')}`] }),
  };
}

function problemsOf(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}

function reasonOf({ reason, reasoning, misses, hits, score }: Answer): string {
  const said = reason ?? reasoning;
  if (said != null && said.trim() !== '') return said;
  if (misses != null && misses.length > 0) return `missed: ${misses.join('; ')}`;
  if (hits != null && hits.length > 0) return `found: ${hits.join('; ')}`;
  return `the script returned ${score} without a reason`;
}

function evidenceOf({ hits, misses, evidence }: Answer): readonly Evidence[] {
  return [
    ...(hits ?? []).map((text) => ({ text, passed: true })),
    ...(misses ?? []).map((text) => ({ text, passed: false })),
    ...(evidence ?? []).map(({ text, passed, turn: one, turns }) => {
      const all = turns ?? (one == null ? [] : [one]);
      return { text, passed, ...(all.length === 0 ? {} : { turns: all }) };
    }),
  ];
}
