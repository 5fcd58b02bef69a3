import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Ended } from './support/cli.ts';
import { openProject } from './support/here.ts';
import { manifestOf, newestRun, rowsOf, runsIn, type Project } from './support/project.ts';
import { until } from './support/until.ts';

const CASES = 80;
const names = Array.from({ length: CASES }, (_, i) => `case-${String(i).padStart(2, '0')}`);

/** Answers `yes`, and `no` to the first so many cases. */
const agent = (wrong: number, more: object = {}) => ({
  type: 'mock',
  response: 'yes',
  responses: Object.fromEntries(names.slice(0, wrong).map((name) => [name, 'no'])),
  ...more,
});

const suite = (grader: object, input = 'Is it?') => ({
  tests: names.map((id) => ({
    id,
    input,
    assert: [grader],
  })),
});
const grader = { type: 'equals', value: 'yes' };

let project: Project;
/** Run ids by what was run. */
const runs = new Map<string, string>();

const run = async (name: string, ...args: string[]): Promise<Ended> => {
  const ended = await project.assay('run', 'agent.eval.yaml', ...args);
  runs.set(name, newestRun(project).split('/').at(-1) ?? '');
  return ended;
};
const id = (name: string) => runs.get(name) ?? name;
const compare = (...args: string[]) => project.assay('compare', ...args);

beforeAll(async () => {
  project = openProject({
    'assay.config.json': {
      targets: {
        good: agent(0),
        worse: agent(6),
        shaky: agent(3),
        slow: agent(0, { delayMs: 500 }),
        stuck: agent(0, { delayMs: 600_000 }),
        broken: { type: 'cli', command: ['no-such-agent-anywhere'] },
      },
    },
    'agent.eval.yaml': suite(grader),
    'few.eval.yaml': { tags: ['smoke'], tests: suite(grader).tests.slice(0, 13) },
  });
  await run('good', '--target', 'good');
  await run('worse', '--target', 'worse');
  await run('shaky', '--target', 'shaky');
  await run('both', '--target', 'good', '--target', 'worse');
});
afterAll(() => project[Symbol.asyncDispose]());

const ending = ({ code, stdout, stderr }: Ended) => ({ code, said: (stdout || stderr).split('\n')[0] });

describe('two runs', () => {
  test('regressed: exit 1, and the sentence comes first', async () => {
    expect(ending(await compare(id('good'), id('worse')))).toEqual({
      code: 1,
      said: 'regressed: 6 of 80 cases got worse, none better, p = 0.03; the smallest change this run could have seen is about 9 points',
    });
  });

  test('improved: exit 0', async () => {
    expect(ending(await compare(id('worse'), id('good')))).toEqual({
      code: 0,
      said: 'improved: 6 of 80 cases got better, none worse, p = 0.03; the smallest change this run could have seen is about 9 points',
    });
  });

  test('equivalent: exit 0', async () => {
    expect(ending(await compare(id('good'), id('good')))).toEqual({
      code: 0,
      said: 'equivalent: the difference over 80 cases is 0 points [-3.8, +3.8], all of it within 5 points; none of 80 cases got better or worse; both sides are the same run, so nothing can differ',
    });
  });

  test('on scores, cases whose verdicts flipped are named whatever their scores did', async () => {
    const assert = [
      { type: 'contains', value: 'yes', weight: 0, required: true },
      { type: 'contains_any', values: ['yes', 'no'] },
    ];
    const tests = names.slice(0, 4).map((name) => ({ id: name, input: 'Is it?', assert }));
    project.write({ 'gated.eval.yaml': { tests } });
    const gated = async (target: string) => {
      await project.assay('run', 'gated.eval.yaml', '--target', target);
      return newestRun(project).split('/').at(-1) ?? '';
    };
    const [good, shaky] = [await gated('good'), await gated('shaky')];
    const { stdout } = await compare(good, shaky, '--on', 'score');
    expect(stdout).toContain('none of 4 cases got better or worse');
    const [first, second, third] = names.slice(0, 3).map((name) => `gated.eval.yaml:${name}`);
    expect(stdout).toContain(`  passed less  ${first} 1 -> 0, ${second} 1 -> 0, ${third} 1 -> 0\n`);
    expect((await compare(shaky, good, '--on', 'score')).stdout).toMatch(/^ {2}passed more {2}\S+ 0 -> 1, /m);
    expect((await compare(id('good'), id('worse'))).stdout).not.toContain('passed less');
  });

  test('inconclusive: exit 0, or 1 where that was asked for', async () => {
    const said =
      'inconclusive: 3 of 80 cases got worse, none better, p = 0.25; the smallest change this run could have seen is about 9 points; a change of 5 points would be seen with about 150 cases';
    expect(ending(await compare(id('good'), id('shaky')))).toEqual({ code: 0, said });
    expect(ending(await compare(id('good'), id('shaky'), '--fail-on', 'inconclusive'))).toEqual({
      code: 1,
      said,
    });
  });

  test('what differs in the target is listed, and --verbose names the cases', async () => {
    const { stdout } = await compare(id('good'), id('worse'), '--verbose');
    expect(stdout.split('\n').slice(1, 3)).toEqual([
      '  differs     target: good -> worse',
      '  differs     config.responses.case-00: nothing -> "no"',
    ]);
    expect(stdout).toContain('  worse (6)\n    agent.eval.yaml:case-00 1 -> 0\n');
  });

  test('targets of one run, and targets paired by name', async () => {
    expect((await compare(`${id('both')}#good`, `${id('both')}#worse`)).stdout).toMatch(
      /^regressed: 6 of 80 cases/,
    );
    const { code, stdout } = await compare(id('both'), id('both'), '--json');
    const { verdict, comparisons } = JSON.parse(stdout) as {
      verdict: string;
      comparisons: { verdict: string; targets: object }[];
    };
    expect([code, verdict, comparisons.map(({ verdict: each, targets }) => [each, targets])]).toEqual([
      0,
      'equivalent',
      [
        ['equivalent', { base: 'good', candidate: 'good' }],
        ['equivalent', { base: 'worse', candidate: 'worse' }],
      ],
    ]);
    expect(ending(await compare(`${id('both')}#god`, id('good')))).toEqual({
      code: 2,
      said: `assay: ${id('both')} has no target "god"`,
    });
  });
});

describe('sides that cannot be compared', () => {
  test('a run that was interrupted, and one that has nothing', async () => {
    const slow = project.start(['run', 'agent.eval.yaml', '--target', 'slow', '--concurrency', '2']);
    const directory = await until('a row', () =>
      runsIn(project.path('.assay/runs')).find(
        (each) => manifestOf(each).state === 'running' && rowsOf(each).length > 0,
      ),
    );
    slow.kill('SIGINT');
    expect((await slow.ended).code).toBe(130);
    const interrupted = await compare(id('good'), directory);
    expect(ending(interrupted)).toEqual({
      code: 3,
      said: expect.stringMatching(
        /^invalid: \S+ was interrupted before all .* \(finish it with assay resume\)$/,
      ),
    });

    const stuck = project.start(['run', 'agent.eval.yaml', '--target', 'stuck']);
    const empty = await until('a run', () =>
      runsIn(project.path('.assay/runs')).find((each) => manifestOf(each).state === 'running'),
    );
    const log = join(empty, 'events.jsonl');
    await until('a trial', () => existsSync(log) && readFileSync(log, 'utf8').includes('attempt-start'));
    stuck.kill('SIGINT');
    stuck.kill('SIGTERM');
    await stuck.ended;
    expect(ending(await compare(id('good'), empty))).toEqual({
      code: 3,
      said: expect.stringMatching(/^invalid: \S+ has no trial with an outcome/),
    });
  });

  test('errored trials beyond the allowance', async () => {
    await run('broken', '--target', 'broken');
    expect(ending(await compare(id('good'), id('broken')))).toEqual({
      code: 3,
      said: expect.stringMatching(
        /^invalid: 80 of 80 trials of \S+ errored, but 0 are allowed; no case was measured on both sides/,
      ),
    });
  });

  test('other graders and other cases, unless that is asked for', async () => {
    project.write({ 'agent.eval.yaml': suite({ type: 'contains', value: 'yes' }, 'Is it so?') });
    await run('changed', '--target', 'good');
    project.write({ 'agent.eval.yaml': suite(grader) });
    expect(ending(await compare(id('good'), id('changed')))).toEqual({
      code: 3,
      said: expect.stringMatching(
        /^invalid: 80 of 80 cases are not the same on both sides, .*; 80 of 80 cases are graded differently on the two sides, .*; differences in its graders: /,
      ),
    });
    expect((await compare(id('good'), id('changed'), '--across', 'case')).code).toBe(3);
    expect(
      ending(await compare(id('good'), id('changed'), '--across', 'case', '--across', 'grader')),
    ).toEqual({
      code: 0,
      said: expect.stringMatching(/^equivalent: /),
    });
  });

  test('other weights, and on verdicts other gates and thresholds, unless that is asked for', async () => {
    const assert = (first: object, second: object) => [
      { type: 'equals', value: 'yes', ...first },
      { type: 'contains', value: 'thanks', ...second },
    ];
    const graded = async (first: object, second: object, ...args: string[]) => {
      const tests = names
        .slice(0, 12)
        .map((name) => ({ id: name, input: 'Is it?', assert: assert(first, second) }));
      project.write({ 'weighed.eval.yaml': { tests } });
      await project.assay('run', 'weighed.eval.yaml', '--target', 'good', ...args);
      return newestRun(project).split('/').at(-1) ?? '';
    };
    const plain = await graded({}, {});
    const heavier = await graded({ weight: 4 }, {});
    const required = await graded({}, { required: true });
    const lower = await graded({}, {}, '--threshold', '0.3');
    const weights =
      'invalid: 12 of 12 cases have different grader weights on the two sides, such as case-00 of';
    const invalid = (what: string) => ({ code: 3, said: expect.stringContaining(what) });
    expect(ending(await compare(plain, heavier))).toEqual(invalid(weights));
    const across = await compare(plain, heavier, '--across', 'grader');
    expect([across.code, across.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^improved: 12 of 12 [^]*\n {2}changed {5}weighed.eval.yaml:case-00 \(weight\), /,
      ),
    ]);
    expect(ending(await compare(plain, required))).toEqual({
      code: 0,
      said: expect.stringMatching(/^inconclusive/),
    });
    expect(ending(await compare(plain, required, '--on', 'passed'))).toEqual(
      invalid('have different required graders on the two sides'),
    );
    expect(ending(await compare(plain, lower))).toEqual({
      code: 0,
      said: expect.stringMatching(/^inconclusive/),
    });
    expect(ending(await compare(plain, lower, '--on', 'passed'))).toEqual(
      invalid('have different pass thresholds on the two sides'),
    );
    const again = ['run', 'weighed.eval.yaml', '--target', 'good', '--baseline', heavier];
    expect((await project.assay(...again)).code).toBe(3);
  });

  test('one side alone is a mistake', async () => {
    expect(ending(await compare(id('good')))).toEqual({
      code: 2,
      said: 'assay: assay compare needs two runs',
    });
    expect((await compare(id('good'), 'no-such-run')).code).toBe(2);
  });
});

describe('gates', () => {
  test('decide instead of single failures, and with --strict beside them', async () => {
    const gated = await run('gated', '--target', 'worse', '--gate', 'pass_rate >= 0.9');
    expect([gated.code, gated.stdout]).toEqual([
      0,
      expect.stringContaining('1 gate: all hold\n  ✓ holds   pass_rate >= 0.9  is 0.925, 74/80 passed\n'),
    ]);
    expect((await run('strict', '--target', 'worse', '--gate', 'pass_rate >= 0.9', '--strict')).code).toBe(1);
    expect(
      (await run('clean', '--target', 'good', '--gate', 'pass_rate.lower95 >= 0.95', '--strict')).code,
    ).toBe(0);
  });

  test('that fall are 1, that cannot be measured 3', async () => {
    const fell = await run(
      'fell',
      'few.eval.yaml',
      '--target',
      'worse',
      '--gate',
      'pass_rate[tag=smoke] >= 0.9',
    );
    expect([fell.code, fell.stdout]).toEqual([
      1,
      expect.stringContaining(
        '1 gate: 1 failed\n  ✗ failed  pass_rate[tag=smoke] >= 0.9  is 0.5385, 7/13 passed\n',
      ),
    ]);
    const free = await run('free', '--target', 'good', '--gate', 'cost.total < 1', '--json');
    expect([free.code, (JSON.parse(free.stdout) as { gates: unknown }).gates]).toEqual([
      0,
      [{ gate: 'cost.total < 1', holds: true, value: 0, says: 'USD, all calls' }],
    ]);
    expect((await run('lost', '--target', 'broken', '--gate', 'errored <= 80')).code).toBe(3);
  });

  test('that no outcome could meet are refused before anything runs, all at once', async () => {
    const before = project.runs().length;
    const { code, stderr } = await project.assay(
      'run',
      'few.eval.yaml',
      '--target',
      'good',
      '--gate',
      'pass_rate.lower95 >= 0.8',
      '--gate',
      'pass^3 >= 0.5',
      '--gate',
      'pass_rate[tag=nightly] >= 0.5',
      '--gate',
      'score.mean >= 0',
    );
    expect([code, stderr]).toEqual([
      2,
      [
        "--gate 'pass_rate.lower95 >= 0.8'  gate-impossible  even if all 13 trials pass, pass_rate.lower95 is only 0.794  (to reach 0.8, run at least 14 trials; all of them must pass)",
        "--gate 'pass^3 >= 0.5'  gate-impossible  the gate needs 3 repetitions per case, but the plan has 1  (run with --repeat 3 or more)",
        "--gate 'pass_rate[tag=nightly] >= 0.5'  gate-impossible  the gate selects no trial of the plan  (check its tag and target)",
        "--gate 'score.mean >= 0'  gate-unfailing  the gate cannot fail: score.mean is never below 0  (choose a stricter limit)",
        'assay: 4 problems found; nothing was run',
        '',
      ].join('\n'),
    ]);
    expect(
      (await project.assay('run', 'few.eval.yaml', '--target', 'good', '--dry', '--gate', 'pass@2 > 0')).code,
    ).toBe(2);
    const repeated = ['run', 'few.eval.yaml', '--target', 'good', '--repeat', '3'];
    expect((await project.assay(...repeated, '--gate', 'pass_rate.lower95 >= 0.5')).stderr).toContain(
      'with repetitions, pass_rate.lower95 needs at least 20 cases, but there are only 13',
    );
    expect((await project.assay(...repeated, '--gate', 'pas_rate >= 0.5')).stderr).toContain(
      'did you mean pass_rate?',
    );
    expect(project.runs().length).toBe(before);
  });
});

describe('a baseline', () => {
  test('fails a run only when it is worse', async () => {
    const shaky = await run('shaky again', '--target', 'shaky', '--baseline', id('good'));
    expect([shaky.code, shaky.stdout]).toEqual([
      0,
      expect.stringContaining(`\nAgainst the baseline ${id('good')}:\ninconclusive: 3 of 80 cases got worse`),
    ]);
    const worse = await run('worse again', '--target', 'worse', '--baseline', id('good'));
    expect([worse.code, worse.stdout]).toEqual([
      1,
      expect.stringContaining('\nregressed: 6 of 80 cases got worse'),
    ]);
    expect((await run('as before', '--target', 'worse', '--baseline', 'latest')).code).toBe(0);
  });

  test('that is invalid is 3, and one that is not there is refused', async () => {
    expect((await run('against broken', '--target', 'good', '--baseline', id('broken'))).code).toBe(3);
    expect((await run('against nothing', '--target', 'good', '--baseline', 'no-such-run')).code).toBe(2);
  });
});

describe('repetitions', () => {
  test('are split to check a gate against itself', async () => {
    await run('repeated', '--target', 'shaky', '--repeat', '4');
    expect((await compare('--self-check', id('repeated'))).stdout).toBe(
      'false alarms: 0 %. 0 of 1000 random splits of 80 repeated cases were called a regression; at most 2.5 % is expected. The repetitions of these cases do not differ, but a regression needs 6 such cases. So this says nothing about the gate.\n',
    );
    expect(ending(await compare('--self-check', `${id('good').slice(0, -2)}#good`))).toEqual({
      code: 2,
      said: `assay: no case of ${id('good')}#good was measured more than once`,
    });
  });

  test.each([
    ['--across', 'case'],
    ['--fail-on', 'inconclusive'],
    ['--max-errored', '3'],
  ])('take no %s, which is about two runs', async (flag, value) => {
    expect(ending(await compare('--self-check', id('repeated'), flag, value))).toEqual({
      code: 2,
      said: `assay: ${flag} needs two runs, but --self-check takes one`,
    });
  });

  test('of a stored run plan another one', async () => {
    const { code, stdout } = await project.assay(
      'plan',
      'agent.eval.yaml',
      '--detect',
      '0.08',
      '--from',
      id('repeated'),
    );
    expect([code, stdout.split('\n').slice(0, 6)]).toEqual([
      0,
      [
        'Your 80 cases, each run once, are enough to detect a change of 8 points that affects every case a little.',
        'To detect one that breaks some cases completely, use 91 cases, each run once.',
        '',
        '             if it breaks some cases completely         if it affects every case a little',
        'repetitions  cases needed  trials  yours detect         cases needed  yours detect',
        '          1            91      91  8.9 points                      6  any change',
      ],
    ]);
    const json = await project.assay(
      'plan',
      'agent.eval.yaml',
      '--detect',
      '0.2',
      '--from',
      id('repeated'),
      '--json',
    );
    expect(JSON.parse(json.stdout)).toMatchObject({ cases: 80, variance: 0, isUpperBound: false });
  });
});
