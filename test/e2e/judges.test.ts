import { onTestFinished, describe, expect, test } from 'vitest';

import { startModelServer, type ModelServer } from '../../src/models/mock-server/server.ts';
import { openProject } from './support/here.ts';
import { newestRun, rowOf, runsIn, type Files, type Project } from './support/project.ts';

const good = { score: 0.9, reasoning: 'it is right', evidence: [] };

const suite = {
  tests: [{ id: 'capital', criteria: 'names Paris', input: 'capital?', expected_output: 'Paris' }],
};

const agent = { type: 'mock', response: 'Paris' };

function project(files: Files): Project {
  const opened = openProject({ 'a.eval.yaml': suite, ...files });
  onTestFinished(async () => await opened[Symbol.asyncDispose]());
  return opened;
}

const approving = () => startModelServer({ script: { rules: [{ reply: { json: good } }] } });

async function judging(): Promise<ModelServer> {
  const server = await approving();
  onTestFinished(async () => await server[Symbol.asyncDispose]());
  return server;
}

const configOf = ({ url }: ModelServer): object => ({
  targets: { agent, other: { type: 'mock', response: { score: 0.1, reasoning: 'no', evidence: [] } } },
  target: 'agent',
  judge: { model: 'local/judge' },
  models: { local: { baseUrl: `${url}/v1`, price: { input: 1, output: 1 } } },
});

describe('a judge, from the command line', () => {
  test('a recorded verdict is found again without asking, by a run and by a regrade', async () => {
    const server = await approving();
    const at = project({ 'assay.config.json': configOf(server) });
    const recorded = await at.assay('run', '--cassette', 'tapes', '--mode', 'record', '--out', 'one');
    await server[Symbol.asyncDispose]();
    const replayed = await at.assay('run', '--cassette', 'tapes', '--mode', 'replay', '--out', 'two');
    const [recordedRun = ''] = runsIn(at.path('one'));
    const graded = await at.assay('grade', recordedRun, '--cassette', 'tapes', '--mode', 'replay');
    expect([recorded.code, replayed.code, graded.code]).toEqual([0, 0, 0]);
    expect(graded.stdout).toContain('llm_judge: 1/1 passed; not calibrated');
    expect(rowOf(newestRun(at), 'capital').grades).toMatchObject([{ name: 'llm_judge', score: 0.9 }]);
  });

  test('--judge names a target over every other judge', async () => {
    const at = project({ 'assay.config.json': configOf(await judging()) });
    const run = await at.assay('run', '--judge', 'other');
    expect(run.code).toBe(1);
    expect(rowOf(newestRun(at), 'capital').grades).toMatchObject([{ score: 0.1, model: 'other' }]);
    const unknown = await at.assay('run', '--judge', 'othr');
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain('did you mean');
  });

  test('without any judge nothing is started, and it says what to add', async () => {
    const at = project({ 'assay.config.json': { targets: { agent } } });
    const run = await at.assay('run');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('no judge is configured');
    expect(at.runs()).toEqual([]);
  });

  test('a target with a judge of its own needs no other; one without is told by name', async () => {
    const judge = { type: 'mock', response: { score: 1, reasoning: 'yes', evidence: [] } };
    const targets = { agent: { ...agent, judge: 'judge' }, lonely: agent, judge };
    const at = project({ 'assay.config.json': { targets, target: 'agent' } });
    expect((await at.assay('run')).code).toBe(0);
    const lonely = await at.assay('run', '--target', 'lonely');
    expect(lonely.code).toBe(2);
    expect(lonely.stderr).toContain('needs a judge for the target "lonely", but none is configured');
  });

  test('a judge that cannot be understood leaves the trial unmeasured: 3, and the reason', async () => {
    const server = await startModelServer({ script: { rules: [{ reply: { text: 'Nice.' } }] } });
    onTestFinished(async () => await server[Symbol.asyncDispose]());
    const at = project({ 'assay.config.json': configOf(server) });
    const run = await at.assay('run');
    expect(run.code).toBe(3);
    expect(rowOf(newestRun(at), 'capital')).toMatchObject({
      verdict: 'errored',
      score: null,
      error: { stage: 'grading', kind: 'grader', detail: 'judge-invalid' },
    });
    expect(run.stdout).toContain('gave no usable answer in 3 attempts: it contained no JSON object');
  });

  test('a prompt file with an unknown name is an authoring error', async () => {
    const tests = [{ id: 'a', input: 'b', assert: [{ type: 'llm_judge', prompt: './judge.md' }] }];
    const files = { 'a.eval.yaml': { tests }, 'judge.md': 'Is {{ anwser }} right?' };
    const at = project({ 'assay.config.json': configOf(await judging()), ...files });
    const checked = await at.assay('validate');
    expect(checked.code).toBe(2);
    expect(checked.stdout).toContain(
      './judge.md: unknown name {{ anwser }} in a prompt (did you mean answer?)',
    );
  });

  test('verify-graders ends with 1 where a judge passes everything', async () => {
    const at = project({ 'assay.config.json': configOf(await judging()) });
    const proof = await at.assay('verify-graders');
    expect(proof.code).toBe(1);
    expect(proof.stdout).toContain('an empty answer passes: the test measures nothing');
    expect(at.litter()).toEqual([]);
  });
});
