import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { ErrorRecord } from '../../core/errors.ts';
import type { Grade } from '../../core/grade.ts';
import type { Fact, Row, RunEvent } from '../../core/run.ts';
import type { EntryBody } from '../../core/transcript.ts';
import type { JsonValue } from '../../lib/json.ts';
import { createRedactor, type Secrets } from '../../lib/redact/redact.ts';
import { lineWriter } from './line-writer.ts';

const AT = '2026-01-01T00:00:00.000Z';
const SHA = 'ab'.repeat(32);
const SECRET = 'k9-Zq7"secret\n0a1b2c3d';
const MARK = '[redacted:SERVICE_TOKEN]';
const EACH_MAP = new Set(['trialsByTarget', 'suites', 'targets']);

describe('an event on its way to the log', () => {
  test('loses a secret in an unknown field, at any place and depth, and nothing else', () => {
    const placed = fc.constantFrom(
      ...EVENTS.flatMap((event) => objectsIn(event).map((path) => ({ event, path }))),
    );
    const key = fc.constantFrom('unknown', `unknown ${SECRET}`);
    const wraps = fc.array(fc.constantFrom('list', 'object', 'secret key', 'JSON', 'toJSON'), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(placed, key, wraps, ({ event, path }, unknown, around) => {
        const value = around.reduce<unknown>(wrapped, `a ${SECRET} b`);
        const written = write(withField(event, path, { [unknown]: value }));
        expect(told(written)).not.toContain('k9-Zq7');
        expect(told(written)).toContain(MARK);
        expect(withoutField(written, path, unknown.replace(SECRET, MARK))).toEqual(event);
      }),
      { numRuns: 2000 },
    );
  });

  test('loses a secret in every text that is not listed as safe', () => {
    const cleaned = EVENTS.map((event) => JSON.stringify(write(everyText(event))));
    const safe = cleaned.flatMap((text) =>
      [...text.matchAll(/"([^"]+)":"[^"]*k9-Zq7/g)].map(([, key]) => key),
    );
    const listed =
      'artifactDir by caseId code confidence detail difficulty failureCode fault id kind name ' +
      'phase role sink skipped stage state status suite target trial type verdict workspacePath';
    expect([...new Set(safe)].toSorted()).toEqual(listed.split(' '));
  });

  test('keeps the fields that readers decide by, whatever a secret or a pattern of the author equals', () => {
    const words = ['attempts', 'fallenGates', 'evidence', 'the-case', 'attempt-end', SHA, 'inputTokens'];
    const environment = Object.fromEntries(words.map((word, index) => [`W${index}_KEY`, word]));
    const extraPatterns = [{ name: 'birthday', pattern: /\d{4}-\d\d-\d\d/ }];
    for (const event of EVENTS) expect(write(event, { environment, extraPatterns })).toEqual(event);
  });

  test('loses what a pattern finds across a line break or a quotation mark', () => {
    const extraPatterns = [{ name: 'customer', pattern: /Müller\n"\d+"/ }];
    const event = eventOf({ type: 'note', text: 'of Müller\n"1234" and others' });
    expect(write(event, { environment: {}, extraPatterns })).toEqual(
      eventOf({ type: 'note', text: 'of [redacted:customer] and others' }),
    );
  });

  test('is the same object when it holds no secret', () => {
    for (const event of EVENTS) expect(write(event)).toBe(event);
  });
});

const write = (event: RunEvent, secrets: Secrets = { environment: { SERVICE_TOKEN: SECRET } }): RunEvent =>
  lineWriter(createRedactor(secrets), () => ({ attachment: SHA, bytes: 0, start: '' }))(event).event;

/** The line, unescaped as often as `wrapped` may have escaped it. */
const told = (event: RunEvent): string => JSON.stringify(event).replaceAll('\\', '');

function wrapped(value: unknown, wrap: string): unknown {
  switch (wrap) {
    case 'list':
      return [1, value];
    case 'object':
      return { deep: value, other: null };
    case 'secret key':
      return { [`x ${SECRET}`]: value };
    case 'toJSON':
      return typeof value === 'object' && value !== null && 'toJSON' in value
        ? value
        : { toJSON: () => value };
    default:
      // Redaction knows three levels of JSON in JSON.
      return typeof value === 'string' && !value.includes('\\\\\\"') ? JSON.stringify(value) : value;
  }
}

type Path = readonly (string | number)[];

/** Where objects of ours stand. */
function objectsIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null || EACH_MAP.has(String(path.at(-1)))) return [];
  const below = Object.entries(value).flatMap(([key, item]) => objectsIn(item, [...path, key]));
  return Array.isArray(value) ? below : [path, ...below];
}

function withField(event: RunEvent, path: Path, field: object): RunEvent {
  const copy = copyOf(event);
  Object.assign(at(copy, path), field);
  return copy;
}

function withoutField(event: RunEvent, path: Path, key: string): RunEvent {
  const copy = copyOf(event);
  delete at(copy, path)[key];
  return copy;
}

/** Objects that stand at two places are two objects in it. */
const copyOf = (event: RunEvent): RunEvent => JSON.parse(JSON.stringify(event)) as RunEvent;

function at(event: RunEvent, path: Path): Record<string, unknown> {
  return path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], event) as Record<
    string,
    unknown
  >;
}

/** The event with the secret behind every text of it but those in a list, times and digests. */
function everyText(event: RunEvent): RunEvent {
  const text = JSON.stringify(event, (key, value: unknown) =>
    typeof value === 'string' && key !== '' && !/^\d+$/.test(key) && value !== SHA
      ? `${value} ${SECRET}`
      : value,
  );
  return JSON.parse(text) as RunEvent;
}

const place = { at: AT, trial: 's/the-case/t/r1', attempt: 1, sequence: 7 };
const eventOf = (fact: Fact): RunEvent => ({ ...place, fact });
const entryOf = (body: EntryBody): RunEvent =>
  eventOf({ type: 'transcript-entry', entry: { id: 'e1', at: AT, turn: 2, step: 1, ...body } });

const USAGE = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };
const ERROR: ErrorRecord = {
  stage: 'target',
  kind: 'http-error',
  detail: 'http-503',
  code: 'http-503',
  message: 'm',
  hint: 'h',
  unknownEvents: { odd: 1 },
};

const LEAF: Grade = {
  name: 'the-gate',
  type: 'contains',
  score: 0.5,
  passed: false,
  weight: 1,
  durationMs: 3,
  digest: 2,
  reason: 'no',
  evidence: [{ text: 'hi', passed: false, turns: [1] }],
  details: { level: { deep: 'x' } },
  model: 'm',
  usage: USAGE,
  failureCode: 'judge-invalid',
  outcome: 'o',
  notes: ['n'],
};
const GRADE: Grade = { ...LEAF, members: [{ ...LEAF, members: [LEAF] }] };

const ROW: Row = {
  number: 1,
  suite: 's',
  caseId: 'the-case',
  target: 't',
  repetition: 1,
  attempts: [{ durationMs: 5, error: ERROR }],
  verdict: 'failed',
  status: 'failed',
  passed: false,
  score: 0.5,
  threshold: 0.8,
  fallenGates: ['the-gate'],
  error: ERROR,
  failureClass: { id: 'c', label: 'l' },
  skipped: 'draft',
  end: { by: 'agent', reason: 'r' },
  limit: { kind: 'timeout', ceiling: 1, reached: 2 },
  flags: ['odd'],
  notes: ['n'],
  grades: [GRADE],
  output: 'hello',
  durationMs: 5,
  turns: 1,
  steps: 1,
  usage: { agent: USAGE },
  costUsd: { agent: 0 },
  difficulty: 'hard',
  tags: ['smoke'],
  digests: { case: 0, target: 1 },
  startedAt: AT,
  endedAt: AT,
  artifactDir: 'trials/c',
  workspacePath: '/w',
};

const deep: JsonValue = { a: [{ b: 'x' }] };

/** One of each kind. */
const EVENTS: readonly RunEvent[] = [
  eventOf({
    type: 'run-start',
    formatVersion: 1,
    plan: { trials: 1, trialsByTarget: { t: 1 }, seed: 7 },
    digests: { config: SHA, suites: { s: SHA }, targets: { t: SHA } },
  }),
  eventOf({ type: 'trial-start' }),
  entryOf({ type: 'message', role: 'assistant', phase: 'final', parts: [{ text: 'hi' }, { json: deep }] }),
  entryOf({
    type: 'tool-call',
    callId: 'c',
    name: 'bash',
    input: deep,
    parentCallId: 'p',
    effects: [{ command: 'ls' }, { skillUse: 's', confidence: 'weak', evidence: 'e' }],
  }),
  entryOf({ type: 'tool-result', callId: 'c', output: deep, fault: 'slow' }),
  entryOf({ type: 'usage', model: 'm', ...USAGE }),
  eventOf({
    type: 'transcript-entry',
    entry: {
      type: 'tool-result',
      id: 'e',
      at: AT,
      turn: 1,
      callId: 'c',
      attachment: SHA,
      bytes: 3,
      start: 'x',
    },
  }),
  eventOf({ type: 'model-usage', role: 'judge', model: 'm', usage: USAGE, costUsd: null }),
  eventOf({ type: 'note', text: 'slow' }),
  eventOf({ type: 'grade', grade: GRADE }),
  eventOf({ type: 'attempt-end', durationMs: 5, error: ERROR, sessionId: 'session' }),
  eventOf({ type: 'trial-end', row: ROW }),
  eventOf({ type: 'run-state', state: 'interrupted', reason: 'r', money: { spentUsd: 1, reservedUsd: 2 } }),
  eventOf({ type: 'run-resume', remaining: 1, dropped: ['s/the-case/t/r1'] }),
  eventOf({ type: 'sink-error', sink: 'junit', message: 'm' }),
  eventOf({ type: 'run-end', state: 'completed' }),
];
