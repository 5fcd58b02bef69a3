import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openProject } from './support/here.ts';
import { manifestOf, rowsOf, runsIn, type Project } from './support/project.ts';
import { startAgent, startJudge, startUsers, type Agent } from './support/talkers.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'];

const casesWith = (more: object = {}) =>
  JSON.stringify(
    NAMES.map((name) => ({
      name,
      initial_message: `question ${name}`,
      max_turns: 2,
      tags: ['old'],
      ...more,
    })),
  );

let agent: Agent;
let users: Awaited<ReturnType<typeof startUsers>>;
let judge: Awaited<ReturnType<typeof startJudge>>;
let project: Project;
let base: string;
/** What the judge gives every metric. */
let usual = 4;

beforeAll(async () => {
  agent = await startAgent({});
  users = await startUsers({});
  judge = await startJudge(() => ({ usual }));
  project = openProject({
    'assay.config.json': {
      targets: { agent: { type: 'http', url: agent.url } },
      user: { model: 'local/user' },
      judge: { model: 'bench/judge' },
      models: { local: { baseUrl: `${users.url}/v1` }, bench: { baseUrl: `${judge.url}/v1` } },
    },
    'cases.json': casesWith(),
  });
  base = await runWith(4, 'base');
});

afterAll(async () => {
  await agent[Symbol.asyncDispose]();
  await users[Symbol.asyncDispose]();
  await judge[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

async function runWith(score: number, out: string, ...more: readonly string[]): Promise<string> {
  usual = score;
  const args = ['run', '--stored', 'cases.json', '--repeat', '2', '--out', out, ...more];
  const { stderr } = await project.assay(...args);
  expect(stderr).toBe('');
  return runsIn(project.path(out))[0] ?? '';
}

const digestsOf = (run: string) => {
  const { digests } = manifestOf(run);
  return rowsOf(run)
    .map((row) => `${row.caseId} ${digests[row.digests.case]}`)
    .sort();
};

const kept = (run: string) =>
  ['run.json', 'results.jsonl', 'events.jsonl'].map((name) => readFileSync(join(run, name), 'utf8'));

describe('runs of stored cases', () => {
  test('are compared case by case over their repetitions, also after the cases were retagged', async () => {
    const before = kept(base);
    expect(rowsOf(base).length).toBe(12);
    project.write({
      'cases.json': casesWith({ tags: ['new'], difficulty: 'hard', description: 'said anew' }),
    });
    const better = await runWith(5, 'better');
    expect(digestsOf(better)).toEqual(digestsOf(base));
    const compared = await project.assay('compare', base, better, '--json');
    expect([compared.code, JSON.parse(compared.stdout)]).toEqual([
      0,
      expect.objectContaining({ verdict: 'improved' }),
    ]);
    const worse = await project.assay('compare', better, base);
    expect([worse.code, worse.stdout.split('\n')[0]]).toEqual([
      1,
      expect.stringMatching(/^regressed: 6 of 6 cases got worse/),
    ]);
    expect(kept(base)).toEqual(before);
  });

  test('whose cases were edited are no longer the same cases; what was measured before stays as it was', async () => {
    const before = kept(base);
    project.write({ 'cases.json': casesWith({ max_turns: 3 }) });
    const edited = await runWith(5, 'edited');
    expect(digestsOf(edited).filter((each) => digestsOf(base).includes(each))).toEqual([]);
    const compared = await project.assay('compare', base, edited);
    expect([compared.code, compared.stdout.split('\n')[0]]).toEqual([3, expect.stringMatching(/^invalid: /)]);
    project.write({ 'cases.json': casesWith({ status: 'archived' }) });
    const all = await project.assay('run', '--stored', 'cases.json', '--out', 'archived');
    expect([all.code, all.stderr]).toEqual([
      2,
      expect.stringContaining('only active cases are run: add `--status any` to run the others'),
    ]);
    const archived = rowsOf(await runWith(5, 'archived', '--id', 'a'));
    expect(archived.map(({ caseId, skipped }) => [caseId, skipped])).toEqual([
      ['a', 'archived'],
      ['a', 'archived'],
    ]);
    expect(kept(base)).toEqual(before);
    const shown = await project.assay('show', base, '--trial', 'stored/a/agent/r1');
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('question a')]);
  });
});
