import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';

import { modelServer } from '../../test/support/model-server.ts';
import type { Reply } from '../models/mock-server/script.ts';
import type { AuthoringError } from '../core/problem.ts';
import { calibrate } from './calibrate.ts';
import type { CalibrationReport } from './calibration/calibration-text.ts';
import { calibrationText } from './calibration/calibration-text.ts';
import { startRun } from './start-run.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

let folder = '';

beforeEach(() => {
  folder = folderOfTest('assay-calibrate-test-');
});

const NOW = Date.parse('2026-01-02T03:04:05Z');
const surroundings = () => ({ cwd: folder, environment: {}, now: () => NOW, commandLine: [] });

/** Runs `count` cases whose answers are their numbers, judged by the server; gives the run id and what was printed. */
async function run(
  url: string,
  count: number,
  judge: object = {},
  more: { readonly gates?: readonly string[]; readonly repeat?: number } = {},
) {
  const tests = Array.from({ length: count }, (_, i) => ({
    id: `c${i}`,
    criteria: 'is even',
    input: `${i}`,
  }));
  const responses = Object.fromEntries(tests.map(({ id }, i) => [id, `number ${i}`]));
  const config = {
    targets: { agent: { type: 'mock', responses } },
    judge: { model: 'local/judge', ...judge },
    models: { local: { baseUrl: `${url}/v1`, price: { input: 1, output: 1 } } },
  };
  writeFileSync(join(folder, 'assay.config.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'a.eval.yaml'), JSON.stringify({ tests }));
  const printed: string[] = [];
  const never = new AbortController().signal;
  const outcome = await startRun(
    { patterns: [], targets: [], cases: [], ...more },
    {
      surroundings: surroundings(),
      interrupt: { stop: never, abandon: never, stoppedBy: () => undefined },
      presentation: {
        reporters: ['terminal'],
        screen: { isTty: false, columns: 100, colour: false, write: (text) => void printed.push(text) },
        verbosity: 'normal',
        ci: true,
      },
    },
  );
  return { outcome, printed: printed.join('') };
}

/** Passes even numbers, and one odd number in ten. */
const nearlyRight = ({ messages }: { readonly messages: readonly { readonly text: string }[] }): Reply => {
  const number = Number(/number (\d+)/.exec(messages.at(-1)?.text ?? '')?.[1]);
  const passes = number % 2 === 0 || number % 20 === 7;
  return { json: { score: passes ? 1 : 0, reasoning: `${number}`, evidence: [] } };
};

function labels(runId: string, count: number, more: readonly object[] = []): void {
  const lines = Array.from({ length: count }, (_, i) => ({
    trial: `${runId}/a.eval.yaml/c${i}/agent/r1`,
    expectation: 'llm_judge',
    verdict: i % 2 === 0 ? 'passed' : 'failed',
    by: 'ann',
  }));
  writeFileSync(
    join(folder, 'labels.jsonl'),
    [...lines, ...more].map((line) => JSON.stringify(line)).join('\n'),
  );
}

function runIdIn(printed: string): string {
  return /\d{8}T\d{6}Z-\w{6}/.exec(printed)?.[0] ?? '';
}

async function calibrated(count: number, more: readonly object[] = []) {
  const server = await modelServer({}, { replyTo: nearlyRight });
  const { printed } = await run(server.url, 60);
  labels(runIdIn(printed), count, more);
  const report = await calibrate({ labels: 'labels.jsonl', run: 'latest' }, surroundings());
  return { report, server, printed };
}

const only = ({ graders }: CalibrationReport) => {
  const [grader] = graders;
  if (grader === undefined || graders.length > 1) throw new Error('expected one grader');
  return grader;
};

describe('assay calibrate', () => {
  test('reports the held-out half, with intervals, disagreements and the corrected rate', async () => {
    const { report, printed } = await calibrated(60);
    const { calibration, disagreements, rate } = only(report);
    expect(calibration).toMatchObject({
      expectation: 'llm_judge',
      type: 'llm_judge',
      judge: 'local/judge',
      labels: 60,
      pairs: 30,
      by: ['ann'],
      sensitivity: { value: 1 },
      calibratedAt: '2026-01-02T03:04:05.000Z',
    });
    expect(calibration.digests).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(calibration).not.toHaveProperty('notEnough');
    expect(calibration.falsePasses).toBe(disagreements.length);
    expect(disagreements.length).toBeGreaterThan(0);
    for (const { key, person } of disagreements) {
      expect(key).toMatch(/\/c(7|27|47)\//);
      expect(person).toBe('failed');
    }
    expect(rate?.observed).toBe(33 / 60);
    expect(rate?.value).toBeLessThan(33 / 60);
    expect(calibrationText(report)).toContain('disagreements to review:\n    a.eval.yaml/c');
    expect(printed).toContain('judges:\n  llm_judge: 33/60 passed; not calibrated');
  });

  test('the same labels and seed give the same half; another seed another', async () => {
    const { report } = await calibrated(60);
    const again = await calibrate({ labels: 'labels.jsonl', run: 'latest' }, surroundings());
    const other = await calibrate({ labels: 'labels.jsonl', run: 'latest', seed: 2 }, surroundings());
    expect(again).toEqual(report);
    expect(only(other).calibration.kappa).not.toEqual(only(report).calibration.kappa);
  });

  test('the result is kept next to the config, shown with the next run, and stale after a change', async () => {
    const { report, server } = await calibrated(60);
    expect(report.file).toBe(join(folder, 'assay.calibration.json'));
    const kept = JSON.parse(readFileSync(report.file, 'utf8')) as object;
    expect(kept).toEqual({ formatVersion: 1, graders: [only(report).calibration] });
    const same = await run(server.url, 60);
    expect(same.printed).toMatch(/judges:\n {2}llm_judge: 33\/60 = 55 % \[42\.5, 66\.9\], corrected \d/);
    expect(same.printed).toMatch(/calibrated on 60 labels of 60 cases, kappa 0\.\d+ \[/);
    const changed = await run(server.url, 60, { temperature: 0.5 });
    const stale =
      'it has a stale calibration: its judge, endpoint, prompt, config or version changed; calibrate it again\n';
    expect(changed.printed).toContain(stale);
    const elsewhere = await modelServer({}, { replyTo: nearlyRight });
    expect((await run(elsewhere.url, 60)).printed).toContain(stale);
  });

  test('a gate on kappa holds by it, and is refused where it is missing, stale or too low', async () => {
    const gate = ['calibration.kappa >= 0.6'];
    const server = await modelServer({}, { replyTo: nearlyRight });
    const refused = (asked: Promise<unknown>) =>
      asked.then(
        () => 'it ran',
        (error: AuthoringError) => error.problems.map(({ code, message }) => `${code}: ${message}`).join(),
      );
    expect(await refused(run(server.url, 60, {}, { gates: gate }))).toBe(
      'gate-unavailable: llm_judge is not calibrated',
    );
    expect(server.counts().total).toBe(0);
    const { url } = (await calibrated(60)).server;
    const { outcome, printed } = await run(url, 60, {}, { gates: gate });
    expect(outcome.exitCode).toBe(0);
    expect(outcome.summary.gates).toMatchObject([{ holds: true, says: 'of llm_judge from its calibration' }]);
    expect(printed).toContain('1 gate: all hold');
    expect(await refused(run(url, 60, { temperature: 0.5 }, { gates: gate }))).toContain(
      'gate-unavailable: llm_judge has a stale calibration',
    );
    expect(await refused(run(url, 60, {}, { gates: ['calibration.kappa >= 0.99'] }))).toMatch(
      /^gate-impossible: this gate cannot pass: the kappa is only 0\.\d+ \(of llm_judge/,
    );
  });

  test('fewer than 50 labels are shown, and never enough', async () => {
    const { report, server } = await calibrated(20);
    await expect(run(server.url, 60, {}, { gates: ['calibration.kappa >= 0.1'] })).rejects.toMatchObject({
      problems: [
        {
          message: 'llm_judge is not calibrated well enough: only 20 labels, but 50 are needed',
        },
      ],
    });
    expect(only(report).calibration.notEnough).toBe('only 20 labels, but 50 are needed');
    expect(calibrationText(report)).toContain('not enough for a gate: only 20 labels');
  });

  test('labels of repetitions are of one case: they are in one half, and 52 of two cases are not enough', async () => {
    const server = await modelServer({}, { replyTo: nearlyRight });
    const { printed } = await run(server.url, 2, {}, { repeat: 26 });
    const id = runIdIn(printed);
    const lines = Array.from({ length: 52 }, (_, i) => ({
      trial: `${id}/a.eval.yaml/c${i % 2}/agent/r${1 + (i >> 1)}`,
      expectation: 'llm_judge',
      verdict: i % 2 === 0 ? 'passed' : 'failed',
      by: 'ann',
    }));
    writeFileSync(join(folder, 'labels.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
    const { calibration, rate } = only(await calibrate({ labels: 'labels.jsonl', run: id }, surroundings()));
    expect(calibration).toMatchObject({
      labels: 52,
      cases: 2,
      pairs: 26,
      notEnough: 'the 52 labels belong to 2 cases, but 20 cases are needed',
    });
    expect([calibration.effective?.passed, calibration.effective?.failed].toSorted()).toEqual([0, 1]);
    expect([calibration.kappa, rate]).toEqual([null, null]);
  });

  test('a calibration with fewer labels replaces a larger one only with --replace', async () => {
    await calibrated(60);
    const file = join(folder, 'assay.calibration.json');
    const before = readFileSync(file, 'utf8');
    const request = { labels: 'labels.jsonl', run: 'latest' };
    labels(JSON.parse(before).graders[0].runId as string, 20);
    await expect(calibrate(request, surroundings())).rejects.toMatchObject({
      code: 'calibration-smaller',
      message:
        'assay.calibration.json was not changed, because it would lose labels: llm_judge has 60 labels, the new one 20',
      hint: 'give all labels in one file, or add --replace to keep only the new ones',
    });
    expect(readFileSync(file, 'utf8')).toBe(before);
    const { graders } = await calibrate({ ...request, replace: true }, surroundings());
    expect(graders.map(({ calibration }) => calibration.labels)).toEqual([20]);
    expect(JSON.parse(readFileSync(file, 'utf8')).graders).toHaveLength(1);
  });

  test('more labels of fewer cases replace it only with --replace, too', async () => {
    const { server } = await calibrated(20);
    const { printed } = await run(server.url, 2, {}, { repeat: 10 });
    const lines = Array.from({ length: 20 }, (_, i) => ({
      trial: `${runIdIn(printed)}/a.eval.yaml/c${i % 2}/agent/r${1 + (i >> 1)}`,
      expectation: 'llm_judge',
      verdict: i % 2 === 0 ? 'passed' : 'failed',
      by: 'ann',
    }));
    writeFileSync(join(folder, 'labels.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
    await expect(
      calibrate({ labels: 'labels.jsonl', run: runIdIn(printed) }, surroundings()),
    ).rejects.toThrow('llm_judge has labels of 20 cases, the new one of 2');
  });

  test('labels that cannot be used are counted by reason', async () => {
    const { report } = await calibrated(60, [
      { trial: 'other-run/a.eval.yaml/c1/agent/r1', expectation: 'llm_judge', verdict: 'passed', by: 'bob' },
    ]);
    const id = report.runId;
    labels(id, 60, [
      { trial: `${id}/a.eval.yaml/c0/agent/r1`, expectation: 'llm_judge', verdict: 'failed', by: 'bob' },
      { trial: `${id}/a.eval.yaml/c99/agent/r1`, expectation: 'llm_judge', verdict: 'failed', by: 'bob' },
    ]);
    const again = { labels: 'labels.jsonl', run: id, replace: true };
    const second = await calibrate(again, surroundings());
    expect(report.unused).toEqual({ 'for another run': 1 });
    expect(second.unused).toEqual({
      'with contradictory verdicts of two people': 2,
      'with a trial or expectation that the run does not have': 1,
    });
    expect(only(second).calibration.labels).toBe(59);
  });

  test('labels of whole trials are not used, and the report says so', async () => {
    const { report } = await calibrated(60);
    const id = report.runId;
    const whole = { trial: `${id}/a.eval.yaml/c0/agent/r1`, expectation: null, verdict: 'failed', by: 'bob' };
    labels(id, 60, [whole, { ...whole, by: 'cem' }]);
    const again = await calibrate({ labels: 'labels.jsonl', run: id }, surroundings());
    expect([only(again).calibration.labels, again.unused]).toEqual([
      60,
      { 'of whole trials, which say nothing about a single grader': 2 },
    ]);
    expect(calibrationText(again)).toContain(
      'not used: 2 labels of whole trials, which say nothing about a single grader\n',
    );
    writeFileSync(join(folder, 'labels.jsonl'), JSON.stringify(whole));
    await expect(calibrate({ labels: 'labels.jsonl', run: id }, surroundings())).rejects.toThrow(
      '(1 of whole trials, which say nothing about a single grader)',
    );
  });

  test('one class alone is never enough', async () => {
    const server = await modelServer({}, { replyTo: nearlyRight });
    const { printed } = await run(server.url, 60);
    const id = runIdIn(printed);
    const lines = Array.from({ length: 60 }, (_, i) => ({
      trial: `${id}/a.eval.yaml/c${i}/agent/r1`,
      expectation: 'llm_judge',
      verdict: 'passed',
      by: 'ann',
    }));
    writeFileSync(join(folder, 'labels.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'));
    const report = await calibrate({ labels: 'labels.jsonl', run: id }, surroundings());
    const { calibration, rate } = only(report);
    expect(calibrationText(report)).toContain(
      '  next: add answers that fail: 0 of 30 measured labels are "failed"\n',
    );
    expect(calibration).toMatchObject({
      specificity: null,
      kappa: null,
      notEnough: 'every measured label is "passed": add answers that fail',
    });
    expect(rate).toBe(null);
  });

  test('problems of labels are reported together, each with its line', async () => {
    writeFileSync(join(folder, 'labels.jsonl'), '{"trial": "x"}\nnonsense\n');
    const asked = calibrate({ labels: 'labels.jsonl', run: 'latest' }, surroundings());
    await expect(asked).rejects.toMatchObject({
      problems: expect.arrayContaining([
        expect.objectContaining({ line: 1, message: 'trial: write it as <run id>/<trial key>' }),
        expect.objectContaining({ line: 1, message: 'verdict: must be passed or failed' }),
        expect.objectContaining({ line: 2, message: 'the line is not valid JSON' }),
      ]),
    });
  });

  test('labels of no trial of the run are an error that says why', async () => {
    const server = await modelServer({}, { replyTo: nearlyRight });
    await run(server.url, 1);
    labels('20200101T000000Z-abcdef', 3);
    const asked = calibrate({ labels: 'labels.jsonl', run: 'latest' }, surroundings());
    await expect(asked).rejects.toThrow('(3 for another run)');
  });
});

test('what judges spent is a fact of the run and stands on its rows, apart from the agent', async () => {
  const server = await modelServer(
    {},
    { replyTo: (asked) => ({ ...nearlyRight(asked), usage: { input: 10, output: 2 } }) },
  );
  const { printed } = await run(server.url, 2);
  const directory = join(folder, '.assay/runs', runIdIn(printed));
  const rows = readFileSync(join(directory, 'results.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  const usage = { inputTokens: 10, cacheReadTokens: 0, outputTokens: 2, reasoningTokens: 0, totalTokens: 12 };
  for (const row of rows)
    expect(row).toMatchObject({ usage: { judge: usage }, costUsd: { judge: 0.000012 } });
  const events = readFileSync(join(directory, 'events.jsonl'), 'utf8');
  const facts = events
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { fact: { type: string } }).fact);
  expect(facts.filter(({ type }) => type === 'model-usage')).toEqual(
    Array.from({ length: 2 }, () => ({
      type: 'model-usage',
      role: 'judge',
      usage,
      model: 'local/judge',
      costUsd: 0.000012,
    })),
  );
});
