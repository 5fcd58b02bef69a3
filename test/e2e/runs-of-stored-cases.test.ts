import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import type { Frozen } from '../../src/core/run.ts';
import { openProject } from './support/here.ts';
import { eventsOf, manifestOf, newestRun, rowOf, type Files, type Project } from './support/project.ts';

const bot = { type: 'mock', response: 'seen' };

const config = (more: object = {}, ofRun: object = {}) => ({
  targets: { bot },
  target: 'bot',
  user: { type: 'scripted', messages: [] },
  judge: { model: 'none/none', metrics: [] },
  run: { seed: 3, expectations: [{ type: 'contains', value: 'seen' }], ...ofRun },
  ...more,
});

const asks = (text: string, more: object = {}) => ({ name: 'a', initial_message: text, ...more });

function project(files: Files): Project {
  const opened = openProject({ 'assay.config.json': config(), ...files });
  onTestFinished(async () => await opened[Symbol.asyncDispose]());
  return opened;
}

/** Runs the stored cases and gives where the run is. */
async function run(at: Project, ...args: readonly string[]): Promise<string> {
  const { code, stderr } = await at.assay('run', '--stored', 'cases', ...args);
  expect([code, stderr]).toEqual([0, '']);
  return newestRun(at);
}

async function graded(at: Project, ...args: readonly string[]): Promise<string> {
  const { code, stderr } = await at.assay('grade', 'latest', ...args);
  expect([code, stderr]).toEqual([0, '']);
  return newestRun(at);
}

const caseDigest = (folder: string, id = 'a') => manifestOf(folder).digests[rowOf(folder, id).digests.case];

async function frozen(at: Project, folder: string, id = 'a'): Promise<readonly Frozen[]> {
  const { stdout } = await at.assay('show', folder, '--trial', id, '--json');
  return (JSON.parse(stdout) as { frozen: readonly Frozen[] }).frozen;
}

/** As if the run had been stopped before its end. */
function cut(folder: string): void {
  const { endedAt: _endedAt, exitCode: _exitCode, ...rest } = manifestOf(folder);
  writeFileSync(join(folder, 'run.json'), JSON.stringify({ ...rest, state: 'interrupted' }));
}

describe.concurrent('grade', () => {
  test('keeps the case of what was asked: a later edit of it is another case', async () => {
    const at = project({ 'cases/a.json': asks('ask X') });
    const source = await run(at);
    at.write({ 'cases/a.json': asks('ask Y', { expected_tool_calls: [] }) });
    const again = await graded(at);
    const copies = (await frozen(at, again)).flatMap(({ kind, body }) => (kind === 'case' ? [body] : []));
    expect(copies).toEqual([expect.objectContaining({ initial_message: 'ask X' })]);
    const kept = readFileSync(join(again, 'frozen.jsonl'), 'utf8');
    expect([kept.includes('ask Y'), kept.includes('expected_tool_calls')]).toEqual([false, true]);
    const fresh = await run(at);
    expect([caseDigest(again) === caseDigest(source), caseDigest(again) === caseDigest(fresh)]).toEqual([
      true,
      false,
    ]);
    const compared = await at.assay('compare', again, fresh);
    expect([compared.code, compared.stdout]).toEqual([3, expect.stringContaining('invalid')]);
  });

  test('of an eval is of the case of now while the question is the same, and of the old one when it is not', async () => {
    const evals = (input: string, answer: string) => ({
      'some.eval.yaml': {
        tests: [{ id: 'a', input, expected_output: answer, assert: [{ type: 'contains', value: 'seen' }] }],
      },
    });
    const at = project(evals('ask X', 'one'));
    const digestAfter = async (files: Files, command: 'run' | 'grade') => {
      at.write(files);
      const { code } = await at.assay(...(command === 'run' ? ['run'] : ['grade', source]));
      expect(code).toBe(0);
      return caseDigest(newestRun(at));
    };
    let source = '';
    const asked = await digestAfter({}, 'run');
    source = newestRun(at);
    const expected = await digestAfter(evals('ask X', 'two'), 'grade');
    const expectedFresh = await digestAfter({}, 'run');
    const other = await digestAfter(evals('ask Y', 'two'), 'grade');
    expect([expected === expectedFresh, expected === asked, other === asked]).toEqual([true, false, true]);
  });

  test('takes the cases that were run, as they were chosen, also when they have been relabelled since', async () => {
    const silent = { name: 'b', initial_message: 'hm', status: 'draft' };
    const strict = config({}, { expectations: [] });
    const gated = asks('ask X', { tags: ['t'], expected_tool_calls: [] });
    const at = project({
      'assay.config.json': strict,
      'cases/a.json': gated,
      'cases/b.json': { ...silent, status: 'active' },
    });
    await run(at, '--id', 'a');
    expect(rowOf(await graded(at), 'a').verdict).toBe('passed');
    await run(at, '--tag-any', 't');
    at.write({ 'cases/a.json': { ...gated, tags: [] } });
    expect(rowOf(await graded(at), 'a').verdict).toBe('passed');
    at.write({ 'cases/a.json': { ...gated, status: 'draft' } });
    const termsOf = (folder: string) => manifestOf(folder).digests[rowOf(folder, 'a').digests.terms ?? -1];
    const draft = await run(at, '--status', 'draft');
    expect(termsOf(await graded(at))).toBe(termsOf(draft));
    at.write({ 'cases/a.json': { ...silent, name: 'c' } });
    const gone = await at.assay('grade', draft);
    expect([gone.code, rowOf(newestRun(at), 'a').error?.code]).toEqual([3, 'case-missing']);
  });
});

test('copies are kept of what grades the answers of a target that has a judge of its own', async () => {
  const judge = { type: 'mock', response: { score: 1, reasoning: 'yes', evidence: [] } };
  const prompt = 'Is {{ answer }} right?';
  const at = project({
    'assay.config.json': config(
      { targets: { bot: { ...bot, judge: 'judge' }, judge } },
      { expectations: [{ type: 'llm_judge', prompt }] },
    ),
    'cases/a.json': asks('ask X'),
  });
  for (const folder of [await run(at), await graded(at)]) {
    const copies = (await frozen(at, folder)).filter(({ kind }) => kind === 'expectation');
    expect(copies.map(({ body }) => body)).toEqual([
      expect.objectContaining({ type: 'llm_judge', config: expect.objectContaining({ prompt }) as unknown }),
    ]);
  }
});

test('a run that goes on with changes has the settings that it goes on with', async () => {
  const settings = (hard: number, message: string) => ({
    'assay.config.json': config(
      { user: { type: 'scripted', messages: [message] } },
      { difficultyWeights: { normal: 1, hard } },
    ),
  });
  const at = project({
    ...settings(3, 'one'),
    'cases/a.json': asks('ask X', { difficulty: 'hard', max_turns: 2 }),
    'cases/b.json': { ...asks('ask X', { max_turns: 2 }), name: 'b' },
  });
  const folder = await run(at);
  cut(folder);
  at.write(settings(9, 'two'));
  const { code } = await at.assay('resume', 'latest', '--accept-changes');
  const { totals } = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as { totals: object };
  expect({ code, settings: manifestOf(folder).settings, totals }).toMatchObject({
    code: 0,
    settings: {
      difficultyWeights: { normal: 1, hard: 9 },
      user: { messages: ['two'] },
      options: { stored: true },
    },
    totals: { weightedPassRate: { weights: { normal: 1, hard: 9 } } },
  });
});

describe.concurrent('merge', () => {
  const parts = async (at: Project, between: () => void) => {
    const first = await run(at, '--shard', '1/2');
    between();
    return [first, await run(at, '--shard', '2/2')] as const;
  };
  const cases = { 'cases/a.json': asks('ask X'), 'cases/b.json': { ...asks('ask X'), name: 'b' } };

  test('refuses runs whose difficulties weigh differently', async () => {
    const weighing = (hard: number) => ({
      'assay.config.json': config({}, { difficultyWeights: { normal: 1, hard } }),
    });
    const at = project({ ...cases, ...weighing(2) });
    const [first, second] = await parts(at, () => at.write(weighing(5)));
    const { code, stderr } = await at.assay('merge', first, second);
    expect({ code, stderr, runs: at.runs().length }).toEqual({
      code: 2,
      stderr: expect.stringContaining('these runs differ in the weight of a difficulty') as string,
      runs: 2,
    });
  });

  test('and show tell what no row tells', async () => {
    const at = project(cases);
    const [first, second] = await parts(at, () => {});
    const noted = (folder: string, text: string, trial?: string) => {
      const last = eventsOf(folder).at(-1);
      const fact = { type: 'note', text };
      const event = {
        sequence: (last?.sequence ?? 0) + 1,
        at: last?.at,
        ...(trial === undefined ? {} : { trial, attempt: 1 }),
        fact,
      };
      appendFileSync(join(folder, 'events.jsonl'), `${JSON.stringify(event)}\n`);
    };
    noted(first, 'an old program');
    noted(second, 'not removed', 'stored/b/bot/r1');
    const warnings = (text: string) => text.split('\n').filter((line) => line.startsWith('Warning: '));
    const shown = await at.assay('show', first);
    const shownLate = await at.assay('show', second);
    expect([warnings(shown.stdout), warnings(shownLate.stdout)]).toEqual([
      ['Warning: an old program'],
      ['Warning: stored/b/bot/r1: not removed'],
    ]);
    const both = ['Warning: an old program', 'Warning: stored/b/bot/r1: not removed'];
    const merged = await at.assay('merge', first, second);
    expect([merged.code, warnings(merged.stdout)]).toEqual([0, both]);
    expect(warnings((await at.assay('show', 'latest')).stdout)).toEqual(both);
  });
});

describe.concurrent('a folder that holds stored cases only', () => {
  test('is no folder of evals, and run says how its cases are run', async () => {
    const at = project({ 'cases/a.json': asks('ask X'), 'cases/deep/b.yaml': 'name: b\nmax_turns: 1\n' });
    const hint = 'cases contains stored test cases: run them with `assay run --stored cases`';
    for (const args of [[], ['cases'], ['*/*.json']]) {
      const { code, stderr } = await at.assay('run', ...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining(hint)]);
    }
    const one = await at.assay('run', 'cases/a.json', 'cases/deep/b.yaml');
    expect(one.stderr).toContain('run it with `assay run --stored cases/a.json`');
    expect(one.stderr).toContain('run it with `assay run --stored cases/deep/b.yaml`');
    at.write({ 'empty/package.json': { name: 'x' }, 'empty/other.json': { name: 'x', scripts: {} } });
    expect((await at.assay('run', 'empty')).stderr).not.toContain('--stored');
  });

  test('is checked by validate as a run would, whatever the status of its cases', async () => {
    const at = project({
      'cases/a.json': asks('ask X'),
      'cases/b.json': { name: 'b', status: 'draft', initial_message: 'x', max_turns: 1 },
      'other.json': { name: 'no case', scripts: {} },
    });
    const expected = [0, '2 files and 2 cases checked: no problems\n', ''];
    for (const args of [[], ['cases'], ['cases/a.json', 'cases/b.json']]) {
      const { code, stdout, stderr } = await at.assay('validate', ...args);
      expect([code, stdout, stderr]).toEqual(expected);
    }
    at.write({ 'cases/c.json': { name: 'c', max_turn: 1, expected_outcomes: { a: true } } });
    const wrong = await at.assay('validate');
    expect([wrong.code, wrong.stdout]).toEqual([
      2,
      expect.stringMatching(/^cases\/c\.json:\S+ {2}unknown-key .*max_turns.*\n1 problem/),
    ]);
  });
});

describe.concurrent('a case that nothing would grade', () => {
  const files = {
    'assay.config.json': config({}, { expectations: [] }),
    'cases/graded.json': { name: 'graded', initial_message: 'x', max_turns: 1, expected_tool_calls: [] },
    'cases/idle.json': { name: 'idle', initial_message: 'x', max_turns: 1, tags: ['slow'] },
    'cases/draft.json': { name: 'draft', initial_message: 'x', max_turns: 1, status: 'draft' },
  };

  test('keeps a run from starting, unless it is not selected or not to be run', async () => {
    const at = project(files);
    const refused = await at.assay('run', '--stored', 'cases');
    expect([refused.code, refused.stderr.match(/\S+ {2}nothing-to-grade/g)]).toEqual([
      2,
      ['cases/idle.json  nothing-to-grade'],
    ]);
    const choices = [
      ['--case', 'graded'],
      ['--exclude-tag', 'slow'],
      ['--limit', '1'],
      ['--id', 'graded'],
    ];
    for (const chosen of choices) {
      const { code, stderr } = await at.assay('run', '--stored', 'cases', ...chosen);
      expect([chosen, code, stderr]).toEqual([chosen, 0, '']);
    }
    const named = await at.assay('run', '--stored', 'cases', '--id', 'draft', '--id', 'graded');
    expect([named.code, named.stderr]).toEqual([0, '']);
  });

  test('keeps a run from being graded again, unless it was skipped', async () => {
    const at = project({ ...files, 'assay.config.json': config() });
    expect((await at.assay('run', '--stored', 'cases')).code).toBe(0);
    at.write({ 'assay.config.json': config({}, { expectations: [] }) });
    const refused = await at.assay('grade', 'latest');
    expect([refused.code, refused.stderr.match(/\S+ {2}nothing-to-grade/g)]).toEqual([
      2,
      ['cases/idle.json  nothing-to-grade'],
    ]);
  });
});
