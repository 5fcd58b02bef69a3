import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const AT = '2026-01-01T00:00:00.000Z';
const ENTRIES = 50;
const TEXT = 'lorem ipsum "dolor" sit amet, '.repeat(67);
/** Number of parallel trials, so that the lines of each are scattered. */
const TOGETHER = 8;

/** Writes a run with a log of about `bytes` bytes: trials of 50 entries of 2 KB. Returns { out, id, trials }. */
export function longLog(folder, bytes) {
  const id = '20260101T000000Z-aaaaaa';
  const out = join(folder, `log-${bytes}`);
  const run = join(out, id);
  mkdirSync(run, { recursive: true });
  const trials = Math.ceil(bytes / (ENTRIES * (TEXT.length + 230)) / TOGETHER) * TOGETHER;
  const [log, rows] = ['events.jsonl', 'results.jsonl'].map((name) => openSync(join(run, name), 'w'));
  let sequence = 0;
  const line = (number, fact) =>
    `${JSON.stringify({ sequence: ++sequence, at: AT, trial: `talks/talk-${number}/bot/r1`, attempt: 1, fact })}\n`;
  for (let first = 1; first <= trials; first += TOGETHER) {
    const numbers = Array.from({ length: TOGETHER }, (_, at) => first + at);
    const each = (factOf) => numbers.map((number) => line(number, factOf(number))).join('');
    writeSync(
      log,
      each((number) => ({ type: 'trial-start', number })) + each(() => ({ type: 'attempt-start' })),
    );
    for (let turn = 1; turn <= ENTRIES; turn++)
      writeSync(
        log,
        each(() => said(turn)),
      );
    writeSync(
      log,
      each((number) => ({ type: 'trial-end', row: rowOf(number) })),
    );
    writeSync(rows, numbers.map((number) => `${JSON.stringify(rowOf(number))}\n`).join(''));
  }
  for (const file of [log, rows]) closeSync(file);
  writeFileSync(join(run, 'run.json'), JSON.stringify(manifestOf(id, out, trials), undefined, 1));
  return { out, id, trials };
}

function said(turn) {
  const role = turn % 2 === 1 ? 'user' : 'assistant';
  const entry = { id: `e${turn}`, at: AT, turn, type: 'message', role, parts: [{ text: `${turn} ${TEXT}` }] };
  return { type: 'transcript-entry', entry };
}

function rowOf(number) {
  const grade = {
    name: 'contains',
    type: 'contains',
    score: 1,
    passed: true,
    weight: 1,
    durationMs: 1,
    digest: 1,
  };
  return {
    number,
    suite: 'talks',
    caseId: `talk-${number}`,
    target: 'bot',
    repetition: 1,
    attempts: [{ durationMs: 1200 }],
    verdict: 'passed',
    status: 'passed',
    passed: true,
    score: 1,
    threshold: 0.8,
    fallenGates: [],
    grades: [{ ...grade, reason: 'the answer contains "amet"' }],
    output: TEXT.slice(0, 1500),
    durationMs: 1200,
    latency: Array.from({ length: ENTRIES / 2 }, () => 300),
    turns: ENTRIES / 2,
    steps: ENTRIES / 2,
    usage: {},
    costUsd: {},
    tags: [],
    digests: { case: 0, target: 0 },
    startedAt: AT,
    endedAt: AT,
  };
}

function manifestOf(id, out, trials) {
  return {
    formatVersion: 1,
    kind: 'run',
    id,
    startedAt: AT,
    endedAt: AT,
    state: 'completed',
    command: ['run'],
    projectRoot: out,
    cwd: out,
    settings: {},
    suites: [{ id: 'talks', name: 'talks', file: 'talks', cases: trials, digest: 'd' }],
    targets: [{ name: 'bot', type: 'mock', config: {}, digest: 0 }],
    trials,
    seed: 1,
    digests: ['c', 'g'],
    versions: {},
    hermetic: false,
    isolation: 'process',
  };
}
