import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { CALIBRATION_FILE } from '../../../src/app/calibration/calibration-file.ts';
import type { Calibration } from '../../../src/core/calibration.ts';
import type { Manifest } from '../../../src/core/manifest.ts';
import type { Frozen, Row, RunState } from '../../../src/core/run.ts';
import type { OpenRun } from '../../../src/core/run-store.ts';
import { manifestOf, rowOf } from '../../../src/storage/run-directory/fixtures/runs.ts';
import { runDirectories } from '../../../src/storage/run-directory/store.ts';
import { redactor } from '../../support/written-runs.ts';
import { CASES, DIGESTS, factsOf, measuredRow, places, SUITE, TARGETS, type Place } from './shop-trials.ts';

/** Ids of the runs of a shop's support agent, and how to end the one that goes on. */
export interface ShopRuns {
  readonly first: string;
  readonly worse: string;
  readonly better: string;
  readonly regraded: string;
  readonly stopped: string;
  readonly running: string;
  readonly newerFormat: string;
  /** Ends trials of the run that goes on. */
  endTrials(numbers: readonly number[]): Promise<void>;
  /** Ends it. */
  complete(): Promise<void>;
  /** Removes its folder. */
  remove(): void;
  release(): void;
}

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.parse('2026-03-01T09:30:00.000Z');

/** Cases that fail on each day; their targets fail alike, the second one at one case more. */
const FAILING: readonly (readonly number[])[] = [[2, 9], [0, 1, 2, 3, 6, 7, 10, 11, 12, 14, 15, 18, 20], [2]];

export async function shopRuns(folder: string): Promise<ShopRuns> {
  const store = runDirectories(folder, folder);
  writeFileSync(join(folder, CALIBRATION_FILE), JSON.stringify({ formatVersion: 1, graders: [calibration] }));
  const begin = async (day: number, more: Partial<Manifest> = {}): Promise<OpenRun> => {
    const startedAt = FIRST_DAY + day * DAY_MS;
    return await store.create({
      startedAt,
      redactor,
      manifest: (id) => ({ ...manifestFor({ id, day, folder, startedAt }), ...more }),
    });
  };
  const ids: string[] = [];
  for (const [day, failing] of FAILING.entries()) {
    const run = await begin(day);
    const rows = places(TARGETS.length, 2).map((place) =>
      withAnswer(measuredRow(place, { isPassed: passes(place, failing), at: atOf(day) })),
    );
    ids.push(await keep(run, await withArtifacts(run, rows), 'completed'));
  }
  const [first = '', worse = '', better = ''] = ids;
  const checkoutRows = (failing: readonly number[]) =>
    places(1, 1).map((place) => ({
      ...measuredRow(place, { isPassed: passes(place, failing), at: atOf(0) }),
      suite: 'checkout',
    }));
  const before = await keep(await begin(0.2, CHECKOUT), checkoutRows([1, 4, 6, 9]), 'completed');
  await keep(await begin(0.8, CHECKOUT), checkoutRows([4]), 'completed', {
    baseline: {
      base: before,
      verdict: 'improved',
      sentence: 'improved: 3 of 24 cases got better, none worse',
    },
  });
  const regrade = await begin(3, { kind: 'grade', sourceRunId: worse });
  const regraded = await keep(
    regrade,
    places(TARGETS.length, 2).map((place) =>
      measuredRow(place, { isPassed: passes(place, [2, 3]), at: atOf(3) }),
    ),
    'completed',
  );
  const stop = await begin(4);
  const stopped = await keep(stop, unequalRows(atOf(4)), 'stopped');
  const newerFormat = '20260306T093000Z-f0f0f0';
  mkdirSync(join(folder, newerFormat));
  writeFileSync(join(folder, newerFormat, 'run.json'), JSON.stringify({ formatVersion: 99 }));
  writeFileSync(join(folder, newerFormat, 'events.jsonl'), '');
  const live = await begin(6);
  const log = live.openLog(0);
  const rows = places(TARGETS.length, 2).map((place) =>
    measuredRow(place, { isPassed: passes(place, [2, 9]), at: atOf(6) }),
  );
  const endTrials = async (numbers: readonly number[]) => {
    await log.append(rows.filter(({ number }) => numbers.includes(number)).flatMap(factsOf));
  };
  await endTrials(rows.slice(0, 37).map(({ number }) => number));
  return {
    first,
    worse,
    better,
    regraded,
    stopped,
    running: live.manifest.id,
    newerFormat,
    endTrials,
    complete: async () => {
      await log.append([{ at: atOf(6), fact: { type: 'run-end', state: 'completed' } }]);
      log.writeRows();
      live.save({ ...live.manifest, state: 'completed', endedAt: atOf(6), exitCode: 1 });
    },
    remove: () => rmSync(live.stored.place, { recursive: true }),
    release: () => {
      log.close();
      live.release();
    },
  };
}

/** An answer that is too large for its place. */
function withAnswer(row: Row): Row {
  return row.number === 3 ? { ...row, output: `${row.output as string}\n`.repeat(1200) } : row;
}

const atOf = (day: number) => new Date(FIRST_DAY + day * DAY_MS).toISOString();

function passes({ caseAt, targetAt, repetition }: Place, failing: readonly number[]): boolean {
  if (targetAt === 1 && caseAt === 16) return false;
  return !failing.includes(caseAt) || (caseAt === 9 && repetition === 1);
}

async function keep(
  run: OpenRun,
  rows: readonly Row[],
  state: RunState,
  more: Partial<Manifest> = {},
): Promise<string> {
  const log = run.openLog(0);
  await log.append([
    ...rows.flatMap(factsOf),
    { at: run.manifest.startedAt, fact: { type: 'run-end', state } },
  ]);
  log.writeRows();
  log.close();
  await run.keepFrozen(FROZEN);
  const endedAt = new Date(Date.parse(run.manifest.startedAt) + 184_000).toISOString();
  run.save({
    ...run.manifest,
    state,
    endedAt,
    exitCode: state === 'stopped' ? 3 : 1,
    ...told(state),
    ...more,
  });
  run.release();
  return run.manifest.id;
}

function told(state: RunState): Partial<Manifest> {
  if (state !== 'completed') return { noEvidence: 'the run was stopped before all of its trials had an end' };
  return {
    gates: [
      { gate: 'passRate >= 0.9', holds: false, value: 0.73, says: '70 of 96 passed' },
      { gate: 'calibration.kappa >= 0.6', holds: true, value: 0.78, says: 'kappa 0.78' },
    ],
  };
}

/** Files that the first attempts of some trials left. */
async function withArtifacts(run: OpenRun, rows: readonly Row[]): Promise<readonly Row[]> {
  const kept: Row[] = [];
  for (const row of rows) {
    if (row.number > 12) {
      kept.push(row);
      continue;
    }
    const artifacts = run.artifacts(row, 1, (error) => {
      throw error;
    });
    await artifacts.write('session.jsonl', '{"type":"session"}\n');
    await artifacts.write('agent-state/memory.json', '{}\n');
    const { directory } = await artifacts.close();
    kept.push(directory === undefined ? row : { ...row, artifactDir: directory });
  }
  return kept;
}

/** Trials of every status, of which one was tried twice; the run was stopped before its last ones. */
function unequalRows(at: string): readonly Row[] {
  const error = {
    stage: 'target',
    kind: 'http-error',
    code: 'http-error',
    message: 'the agent answered 502 Bad Gateway',
    hint: 'Is the agent running?',
  } as const;
  return places(TARGETS.length, 2).map((place) => {
    const row = measuredRow(place, { isPassed: place.caseAt % 5 !== 2, at });
    const { caseId, number, target, suite, repetition, tags, digests } = row;
    const plain = (verdict: 'errored' | 'skipped' | 'cancelled', more: Partial<Row>) =>
      rowOf(caseId, {
        number,
        target,
        suite,
        repetition,
        tags,
        digests,
        verdict,
        status: verdict,
        passed: false,
        score: null,
        output: null,
        startedAt: at,
        endedAt: at,
        ...more,
      });
    if (number > 80) return plain('skipped', { skipped: 'run-stopped', attempts: [] });
    if (number > 77) return plain('cancelled', { durationMs: 1200 });
    if (number % 13 === 0)
      return plain('errored', {
        error,
        attempts: [
          { durationMs: 410, error },
          { durationMs: 399, error },
        ],
        durationMs: 809,
      });
    if (number === 6) return { ...row, verdict: 'failed', status: 'expected-failed', passed: false };
    if (number === 7) return { ...row, verdict: 'passed', status: 'unexpected-passed', passed: true };
    if (number === 8)
      return { ...row, attempts: [{ durationMs: 300, error }, { durationMs: row.durationMs }] };
    return row;
  });
}

interface ManifestPlace {
  readonly id: string;
  readonly day: number;
  readonly folder: string;
  readonly startedAt: number;
}

function manifestFor({ id, day, folder, startedAt }: ManifestPlace): Manifest {
  return manifestOf({
    id,
    state: 'running',
    startedAt: new Date(startedAt).toISOString(),
    trials: places(TARGETS.length, 2).length,
    projectRoot: folder,
    command: ['run', 'evals/support.eval.yaml', '--repeat', '2'],
    suites: [
      {
        id: SUITE,
        name: SUITE,
        file: 'evals/support.eval.yaml',
        cases: CASES.length,
        digest: 'd'.repeat(64),
      },
    ],
    targets: TARGETS.map((name) => ({
      name,
      type: 'http',
      config: { url: 'http://127.0.0.1:8080/chat', model: name, prompt: PROMPTS[day % PROMPTS.length] ?? '' },
      digest: 1,
      versions: { agent: `1.${day}.0` },
    })),
    digests: DIGESTS.map((digest, at) => (at === 1 ? String(day).repeat(64) : digest)),
    git: { commit: '4f1c2a9be0', dirty: day === 1 },
    settings: { concurrency: 4, repeat: 2 },
  });
}

const CHECKOUT: Partial<Manifest> = {
  trials: CASES.length,
  suites: [
    {
      id: 'checkout',
      name: 'checkout',
      file: 'evals/checkout.eval.yaml',
      cases: CASES.length,
      digest: 'e'.repeat(64),
    },
  ],
  targets: [
    { name: 'support-agent', type: 'http', config: { url: 'http://127.0.0.1:8080/chat' }, digest: 1 },
  ],
};

const PROMPTS = [
  'You help customers of a shop. Look up the order first. Never refund an order twice.',
  'You help customers of a shop. Be quick and generous.',
];

const FROZEN: readonly Frozen[] = [
  {
    digest: DIGESTS[0] ?? '',
    kind: 'case',
    body: { name: 'refund of a damaged lamp', user_goal: 'get the money back' },
  },
  {
    digest: DIGESTS[3] ?? '',
    kind: 'expectation',
    body: {
      type: 'llm-judge',
      name: 'follows the refund policy',
      prompt: 'Does the agent refuse a second refund?',
    },
  },
];

const calibration: Calibration = {
  expectation: 'follows the refund policy',
  type: 'llm-judge',
  judge: 'judge-large',
  digests: [DIGESTS[3] ?? ''],
  runId: 'r',
  seed: 1,
  calibratedAt: '2026-02-20T10:00:00.000Z',
  by: ['ana'],
  labels: 120,
  cases: 24,
  pairs: 60,
  truePasses: 38,
  falsePasses: 3,
  trueFails: 16,
  falseFails: 3,
  sensitivity: { value: 0.93, lower: 0.81, upper: 0.97 },
  specificity: { value: 0.84, lower: 0.62, upper: 0.94 },
  kappa: { value: 0.78, lower: 0.6, upper: 0.91 },
};
