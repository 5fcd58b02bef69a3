import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';

/** Writes a completed run of so many rows (about 1.3 KB each) over so many cases, as assay leaves it. */
export async function writeStoredRun(folder, { id, rows, cases, random }) {
  const directory = join(folder, id);
  mkdirSync(directory, { recursive: true });
  const digests = Array.from({ length: cases + 3 }, (_, i) => i.toString(16).padStart(64, '0'));
  const agent = { name: 'agent', type: 'mock', config: { type: 'mock', response: 'yes' }, digest: 2 };
  const manifest = {
    formatVersion: 1,
    kind: 'run',
    id,
    startedAt: at(0),
    endedAt: at(1),
    state: 'completed',
  };
  const place = {
    command: ['run'],
    projectRoot: folder,
    cwd: folder,
    versions: {},
    settings: { maxErrored: 0 },
  };
  const plan = {
    suites: [],
    targets: [agent],
    trials: rows,
    seed: 1,
    digests,
    hermetic: false,
    isolation: 'process',
  };
  writeFileSync(join(directory, 'run.json'), JSON.stringify({ ...manifest, ...place, ...plan }));
  const file = createWriteStream(join(directory, 'results.jsonl'));
  for (let i = 0; i < rows; i++) {
    if (!file.write(`${JSON.stringify(rowOf(i, { cases, random }))}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

function rowOf(i, { cases, random }) {
  const place = i % cases;
  const score = Math.round(1e4 * (0.4 + 0.4 * (place / cases) + 0.2 * random())) / 1e4;
  const verdict = score >= 0.6 ? 'passed' : 'failed';
  const passed = verdict === 'passed';
  const caseId = `case-${String(place).padStart(6, '0')}`;
  const repetition = Math.floor(i / cases) + 1;
  const head = {
    suite: 'suite.eval.yaml',
    caseId,
    target: 'agent',
    repetition,
    attempts: [{ durationMs: 900 }],
  };
  const outcome = { verdict, status: verdict, passed, score, threshold: 0.6, fallenGates: [] };
  const said = 'Your order was shipped on Tuesday and is expected to arrive by the end of the week. '.repeat(
    3,
  );
  const grades = ['first', 'second'].map((name, digest) => gradeOf({ name, score, passed, digest }));
  const totalTokens = 1200 + Math.floor(300 * random());
  const spent = {
    usage: { agent: { inputTokens: 1000, outputTokens: totalTokens - 1000, totalTokens } },
    costUsd: { agent: Math.round(1e4 * random()) / 1e6 },
  };
  const effort = { durationMs: 900, turns: 1, steps: 1 };
  const digests = { case: 3 + place, target: 2 };
  const end = {
    tags: [],
    digests,
    startedAt: at(0),
    endedAt: at(1),
    latency: [Math.round(300 + 2000 * random())],
  };
  return { ...head, ...outcome, grades, output: said, ...effort, ...spent, ...end };
}

function gradeOf({ name, score, passed, digest }) {
  const reason = 'the answer does not say that the order was shipped on Monday; it says Tuesday. '.repeat(3);
  return { name, type: 'contains', score, passed, weight: 1, reason, durationMs: 1, digest };
}

function at(second) {
  return `2026-01-01T00:00:0${second}.000Z`;
}

/** The same numbers on every machine, from 0 to 1. */
export function storedRandom() {
  let state = 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}
