import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Grade } from '../../../src/core/grade.ts';
import type { Manifest } from '../../../src/core/manifest.ts';
import type { Emitted, Fact, Row } from '../../../src/core/run.ts';
import type { EntryBody, TranscriptEntry } from '../../../src/core/transcript.ts';
import { trialKey } from '../../../src/core/trial.ts';
import { manifestOf, rowOf } from '../../../src/storage/run-directory/fixtures/runs.ts';
import { runDirectories } from '../../../src/storage/run-directory/store.ts';
import { redactor } from '../../support/written-runs.ts';

/** What must never become anything but text. */
export const HOSTILE =
  '<img src=x onerror="document.title=1"></script><script>document.title=1</script> javascript:alert(1) \u202Eabc \u001B[31mred';

const CASES = 40;
const SUITE = `suite ${HOSTILE}`;
const TARGETS = ['agent', `second ${HOSTILE}`];

/** A line as tools write it who do not know better. */
const LONG_LINE = 'x'.repeat(1_000_000);

/** Two ended runs, one that goes on while `release` was not called, and one that cannot be read. */
export async function hostileRuns(folder: string): Promise<{ readonly release: () => void }> {
  const store = runDirectories(folder, folder);
  const begin = async (startedAt: number, trials: number) =>
    await store.create({ startedAt, redactor, manifest: (id) => manifestFor(id, startedAt, trials) });
  for (const [at, failing] of [3, 12].entries()) {
    const startedAt = Date.parse('2026-03-01T10:00:00.000Z') + at * 86_400_000;
    const rows = rowsOf(failing, new Date(startedAt).toISOString());
    const run = await begin(startedAt, rows.length);
    const log = run.openLog(0);
    await log.append([...rows.flatMap(factsOf), inRun({ type: 'run-end', state: 'completed' })]);
    log.writeRows();
    log.close();
    run.save({
      ...run.manifest,
      state: 'completed',
      endedAt: new Date(startedAt + 65_000).toISOString(),
      exitCode: 1,
    });
    run.release();
  }
  const broken = join(folder, '20260304T100000Z-b0b0b0');
  mkdirSync(broken, { recursive: true });
  writeFileSync(join(broken, 'run.json'), `{ "formatVersion": ${HOSTILE}`);
  writeFileSync(join(broken, 'events.jsonl'), '');
  const running = await begin(Date.parse('2026-03-05T10:00:00.000Z'), CASES * 4);
  const log = running.openLog(0);
  await log.append(rowsOf(3, '2026-03-05T10:00:00.000Z').slice(0, 20).flatMap(factsOf));
  return {
    release: () => {
      log.close();
      running.release();
    },
  };
}

function manifestFor(id: string, startedAt: number, trials: number): Manifest {
  return manifestOf({
    id,
    state: 'running',
    startedAt: new Date(startedAt).toISOString(),
    trials,
    suites: [{ id: SUITE, name: SUITE, file: `${HOSTILE}.yaml`, cases: CASES, digest: 'd'.repeat(64) }],
    command: ['run', HOSTILE],
    git: { commit: HOSTILE, dirty: true },
    settings: { user: HOSTILE, judge: { [HOSTILE]: HOSTILE } },
    targets: TARGETS.map((name, digest) => ({
      name,
      type: 'mock',
      config: { prompt: `${HOSTILE} ${startedAt}` },
      digest,
    })),
    digests: ['a', 'b', 'c'].map((letter) => letter.repeat(64)),
  });
}

function rowsOf(failing: number, at: string): readonly Row[] {
  const rows: Row[] = [];
  for (let number = 1; number <= CASES * 4; number++) {
    const place = Math.floor((number - 1) / 4);
    const caseId = place === 0 ? `case ${HOSTILE}` : `case ${String(place).padStart(3, '0')}`;
    const isErrored = place === CASES - 1;
    const isPassed = place >= failing && (place % 7 !== 0 || number % 2 === 0);
    const verdict = isErrored ? 'errored' : isPassed ? 'passed' : 'failed';
    rows.push(
      rowOf(caseId, {
        number,
        suite: SUITE,
        target: TARGETS[Math.floor((number - 1) / 2) % 2] ?? '',
        repetition: ((number - 1) % 2) + 1,
        attempts: isErrored
          ? [
              { durationMs: 4, error },
              { durationMs: 5, error },
            ]
          : [{ durationMs: 340 + number }],
        verdict,
        status: verdict,
        passed: isPassed,
        score: isErrored ? null : isPassed ? 1 : 0.4,
        fallenGates: verdict === 'failed' ? ['polite'] : [],
        grades: isErrored ? [] : gradesOf(isPassed),
        ...(isErrored ? { error } : {}),
        output: HOSTILE,
        durationMs: 340 + number,
        latency: [120, 220],
        turns: 2,
        usage: { agent: { inputTokens: 1200, outputTokens: 80, totalTokens: 1280 } },
        costUsd: { agent: 0.002, judge: null },
        ...(verdict === 'failed' ? { failureClass: { id: HOSTILE, label: HOSTILE } } : {}),
        end: { by: 'user', reason: HOSTILE },
        flags: verdict === 'failed' ? [`flag ${HOSTILE}`] : [],
        notes: verdict === 'failed' ? [`note ${HOSTILE}`] : [],
        tags: ['smoke', HOSTILE],
        digests: { case: 0, target: 1 },
        startedAt: at,
        endedAt: at,
      }),
    );
  }
  return rows;
}

const error = {
  stage: 'target',
  kind: 'http-error',
  code: 'http-error',
  message: `the agent answered 502: ${HOSTILE}`,
  hint: `look at ${HOSTILE}`,
} as const;

function gradesOf(passed: boolean): readonly Grade[] {
  const judged: Grade = {
    name: 'polite',
    type: 'llm-judge',
    score: passed ? 1 : 0.4,
    passed,
    threshold: 0.8,
    weight: 1,
    required: 0.8,
    reason: `The answer says ${HOSTILE}`,
    evidence: [{ text: `It shouts: ${HOSTILE}`, passed, turns: [1, 2] }],
    model: 'judge-1',
    costUsd: null,
    details: { [HOSTILE]: HOSTILE },
    durationMs: 12,
    digest: 2,
  };
  const {
    required: _,
    evidence: _evidence,
    model: _model,
    costUsd: _cost,
    details: _details,
    ...plain
  } = judged;
  return [{ ...plain, name: 'short', type: 'regex', score: 1, passed: true, reason: 'matches' }, judged];
}

function factsOf(row: Row): readonly Emitted[] {
  const entry = (id: string, turn: number, body: EntryBody): Fact => ({
    type: 'transcript-entry',
    entry: { id, at: row.startedAt, turn, ...body } as TranscriptEntry,
  });
  const result = row.number === 1 ? LONG_LINE : HOSTILE;
  const facts: readonly Fact[] = [
    { type: 'trial-start', number: row.number },
    { type: 'attempt-start' },
    entry('e1', 1, { type: 'message', role: 'user', parts: [{ text: `Where is my order? ${HOSTILE}` }] }),
    entry('e2', 2, { type: 'tool-call', callId: 'c', name: HOSTILE, input: { order: HOSTILE } }),
    entry('e3', 2, { type: 'tool-result', callId: 'c', output: result, failed: true, fault: 'timeout' }),
    entry('e4', 2, { type: 'message', role: 'assistant', parts: [{ text: `${HOSTILE}\nSecond line` }] }),
    { type: 'attempt-end', durationMs: row.durationMs },
    { type: 'trial-end', row },
  ];
  return facts.map((fact) => ({ at: row.startedAt, trial: trialKey(row), attempt: 1, fact }));
}

const inRun = (fact: Fact): Emitted => ({ at: '2026-03-01T10:01:05.000Z', fact });
