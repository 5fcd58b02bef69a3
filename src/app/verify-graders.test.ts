import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

import { modelServer } from '../../test/support/model-server.ts';
import type { Asked } from '../models/mock-server/protocol.ts';
import type { Reply } from '../models/mock-server/script.ts';
import { proofText } from './proof/proof-text.ts';
import { verifyGraders, type VerifyRequest } from './verify-graders.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

interface ProjectFiles {
  readonly tests: readonly object[];
  readonly config?: object;
  readonly files?: Readonly<Record<string, string>>;
}

/** A target that must never run: its program does not exist. */
const AGENT = { type: 'cli', command: ['/nonexistent/agent'] };

async function verify(
  { tests, config = {}, files = {} }: ProjectFiles,
  request: Partial<VerifyRequest> = {},
) {
  const folder = folderOfTest('assay-verify-test-');
  const all = {
    ...files,
    'assay.config.json': JSON.stringify({ targets: { agent: AGENT }, ...config }),
    'a.eval.yaml': JSON.stringify({ tests }),
  };
  for (const [name, content] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const place = {
    cwd: folder,
    environment: { PATH: process.env['PATH'] ?? '' },
    now: Date.now,
    commandLine: [],
  };
  const report = await verifyGraders(
    { patterns: [], cases: [], makesMutants: true, ...request },
    place,
    new AbortController().signal,
  );
  expect(readdirSync(folder).toSorted()).toEqual(
    [...new Set(Object.keys(all).map((path) => path.split('/')[0]))].toSorted(),
  );
  return report;
}

const judgedByServer = (url: string) => ({
  judge: { model: 'local/judge' },
  models: { local: { baseUrl: `${url}/v1` } },
});

test('a sound test passes its oracle, fails nothing at all, and catches mistakes', async () => {
  const contains = { type: 'contains', value: '42' };
  const report = await verify({
    tests: [{ id: 'total', input: 'how much?', expected_output: 'It is 42.', assert: [contains] }],
  });
  expect(report).toEqual({
    cases: 1,
    graders: [
      {
        name: 'contains-42',
        type: 'contains',
        oracle: { hits: 1, of: 1 },
        nop: { hits: 1, of: 1 },
        mutants: { hits: 3, of: 3 },
        errored: 0,
      },
    ],
    mutants: { hits: 3, of: 3 },
    problems: [],
    exitCode: 0,
  });
  expect(proofText(report)).toBe(
    [
      'grader       type      oracle passes  empty fails  mutants caught  twice the same  errored',
      'contains-42  contains  1/1            1/1          3/3 = 100 %     -               -',
      '',
      '1 test: every oracle passes and no test passes with an empty answer, 3 of 3 deliberately broken answers are caught',
      '',
    ].join('\n'),
  );
});

test('an oracle that fails and an empty answer that passes end with 1', async () => {
  const report = await verify({
    tests: [
      { id: 'broken', input: 'a', expected_output: 'yes', assert: [{ type: 'contains', value: 'no' }] },
      { id: 'lax', input: 'a', expected_output: 'yes', assert: [{ type: 'regex', value: '.*' }] },
      { id: 'unknown', input: 'a', assert: [{ type: 'contains', value: 'x' }] },
    ],
  });
  expect(report.exitCode).toBe(1);
  expect(report.problems.map(({ caseId, what }) => `${caseId} ${what}`)).toEqual([
    'broken oracle-failed',
    'broken mutant-passed',
    'lax nop-passed',
    'lax mutant-passed',
    'unknown no-oracle',
  ]);
});

test('`oracle` is used instead of the reference, including its tool calls', async () => {
  const oracle = [
    { role: 'assistant', content: '', tool_calls: [{ tool: 'refund', input: { id: 1 } }] },
    { role: 'assistant', content: 'Your money is on its way.' },
  ];
  const assert = [
    { type: 'tool_calls', called: [{ tool: 'refund', args: { id: 1 } }] },
    { type: 'contains', value: 'money' },
  ];
  const report = await verify({
    tests: [{ id: 'refund', input: 'a', expected_output: 'else', oracle, assert }],
  });
  expect(report.exitCode).toBe(0);
  expect(report.graders.map(({ name, oracle: passed, nop }) => [name, passed, nop])).toEqual([
    ['tool_calls', { hits: 1, of: 1 }, { hits: 1, of: 1 }],
    ['contains-money', { hits: 1, of: 1 }, { hits: 1, of: 1 }],
  ]);
});

test('graders see the untouched workspace, and it is gone afterwards', async () => {
  const report = await verify({
    tests: [
      {
        id: 'files',
        input: 'a',
        expected_output: 'done',
        workspace: { template: './fixture' },
        assert: [{ type: 'files', exists: ['README.md'] }],
      },
    ],
    files: { 'fixture/README.md': 'hello' },
  });
  expect(report.problems.map(({ what }) => what)).toEqual(['nop-passed', 'mutant-passed']);
});

/** Passes the oracle, and nothing else. */
const honest = ({ messages }: Asked): Reply => {
  const score = messages.some(({ text }) => text.includes('answer: "Paris"')) ? 1 : 0;
  return { json: { score, reasoning: 'by the book', evidence: [] } };
};

const judged = { id: 'capital', criteria: 'names Paris', input: 'capital?', expected_output: 'Paris' };

test('model graders are asked twice about the oracle', async () => {
  const server = await modelServer({}, { replyTo: honest });
  const report = await verify({ tests: [judged], config: judgedByServer(server.url) });
  expect(report).toMatchObject({ exitCode: 0, problems: [], mutants: { hits: 2, of: 2 } });
  expect(report.graders).toEqual([
    expect.objectContaining({ name: 'llm_judge', stable: { hits: 1, of: 1, widestSpread: 0 } }),
  ]);
  expect(server.counts().total).toBe(5);
});

test('a judge that changes its mind is reported', async () => {
  let asked = 0;
  const fickle = (): Reply => ({ json: { score: asked++ % 2, reasoning: 'by mood', evidence: [] } });
  const server = await modelServer({}, { replyTo: fickle });
  const report = await verify(
    { tests: [judged], config: judgedByServer(server.url) },
    { makesMutants: false },
  );
  expect(report.graders[0]?.stable).toEqual({ hits: 0, of: 1, widestSpread: 1 });
  expect(report.problems.at(-1)).toMatchObject({
    what: 'unstable',
    message: 'llm_judge scored the same answer 1, then 0',
  });
});

test('if the judge cannot be reached, the exit code is 3 and the output says why', async () => {
  const server = await modelServer({}, { replyTo: () => ({ status: 401, message: 'no' }) });
  const report = await verify({ tests: [judged], config: judgedByServer(server.url) });
  expect(report.exitCode).toBe(3);
  expect(report.problems.map(({ what }) => what)).toEqual(['oracle-errored', 'nop-errored']);
});

test('without a judge nothing is started', async () => {
  await expect(verify({ tests: [judged] })).rejects.toMatchObject({
    problems: [expect.objectContaining({ code: 'no-judge' })],
  });
});

test('a judge that replays a run looks where a run would, also with a config from elsewhere', async () => {
  const report = await verify(
    {
      tests: [judged],
      files: { 'elsewhere/assay.config.json': '{"targets": {"bot": {"type": "mock", "response": "x"}}}' },
    },
    { config: 'elsewhere/assay.config.json', judge: 'replay:latest', makesMutants: false },
  );
  expect(
    report.problems.map(
      ({ message }) => /no run "latest" in \S+\/assay-verify-test-[^/]+(\/\S+) /.exec(message)?.[1],
    ),
  ).toEqual(['/.assay/runs', '/.assay/runs']);
});
