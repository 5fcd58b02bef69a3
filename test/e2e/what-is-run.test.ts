import { basename } from 'node:path';

import { describe, expect, test } from 'vitest';

import { openProject } from './support/here.ts';
import { manifestOf, newestRun, rowsOf, type Project } from './support/project.ts';

function projectWith(tests: readonly object[], suite: object = {}): Project {
  return openProject({
    'assay.config.json': {
      targets: { agent: { type: 'mock', response: 'the answer' } },
      run: { seed: 3 },
    },
    'some.eval.yaml': { tests, assert: [{ type: 'contains', value: 'answer' }], ...suite },
  });
}

const cases = (...ids: readonly string[]) => ids.map((id) => ({ id, input: 'a question', tags: ['smoke'] }));
const limitsLine = ({ stdout }: { stdout: string }) => /limits: (.*)/.exec(stdout)?.[1];

describe.concurrent('the plan shows what is in force', () => {
  const usual = 'trial 600 s, turn 120 s; threshold 0.8; seed 3';
  test.each([
    ['nothing is set', {}, [], usual],
    [
      'flags are',
      {},
      ['--timeout', '5', '--max-steps', '7', '--threshold', '0.5'],
      'trial 5 s, turn 120 s, 7 steps; threshold 0.5; seed 3',
    ],
    ['the suite says', { threshold: 0.9 }, [], 'trial 600 s, turn 120 s; threshold 0.9; seed 3'],
    ['a flag wins over the suite', { threshold: 0.9 }, ['--threshold', '0.5'], usual.replace('0.8', '0.5')],
  ])('%s', async (_, suite, flags, line) => {
    await using project = projectWith(cases('one', 'two'), suite);
    expect(limitsLine(await project.assay('run', '--dry', ...flags))).toBe(line);
  });

  test('and says where cases differ', async () => {
    await using project = projectWith([...cases('one'), { id: 'two', input: 'a question', threshold: 0.3 }]);
    expect(limitsLine(await project.assay('run', '--dry'))).toBe(
      'trial 600 s, turn 120 s; threshold 0.8; some cases or targets set their own; seed 3',
    );
  });
});

describe.concurrent('a selection that is empty', () => {
  test.each([
    ['a case that is misspelt', ['--case', 'refund'], 'no case has this id; did you mean refunds?'],
    ['a case of another name', ['--case', 'xyzzy'], 'existing cases: refunds, greetings'],
    ['a tag that is misspelt', ['--tag', 'smok'], 'no case has this tag; did you mean smoke?'],
    ['a tag that excludes all', ['--exclude-tag', 'smoke'], 'every case has one of these tags'],
    [
      'two filters',
      ['--case', 'refunds', '--exclude-tag', 'smoke'],
      'each filter alone selects cases, but all of them together select none',
    ],
    ['a part too many', ['--shard', '3/3'], 'there are fewer cases than shards, so this shard is empty'],
  ])('says why: %s', async (_, flags, words) => {
    await using project = projectWith(cases('refunds', 'greetings'));
    const ended = await project.assay('run', ...flags);
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(words) as string,
    });
    expect(ended.stderr).toContain(`no test case is selected by ${flags[0]} ${flags[1]}`);
  });

  test('says why: a file that the run of --failed did not have', async () => {
    await using project = projectWith(cases('refunds'));
    const unmet = [{ type: 'contains', value: 'never said' }];
    project.write({ 'bad.eval.yaml': { tests: cases('bad'), assert: unmet } });
    await project.assay('run');
    project.write({ 'new.eval.yaml': { tests: cases('two'), assert: [{ type: 'contains', value: 'a' }] } });
    const ended = await project.assay('run', 'new.eval.yaml', '--failed', 'latest');
    expect([ended.code, ended.stderr]).toEqual([
      2,
      expect.stringMatching(
        /the cases that failed or errored in \S+ were renamed or removed, or are not in these files/,
      ),
    ]);
  });
});

test('failed cases that were renamed since are named, because --failed cannot run them', async () => {
  await using project = projectWith(cases('four'));
  const suite = (ids: readonly string[], value: string) => ({
    'bad.eval.yaml': { tests: cases(...ids), assert: [{ type: 'contains', value }] },
  });
  project.write(suite(['one', 'two', 'three'], 'never said'));
  await project.assay('run');
  project.write(suite(['one', 'second'], 'a'));
  const ended = await project.assay('run', '--failed', 'latest');
  expect(ended.stdout + ended.stderr).toMatch(
    /2 cases that failed in \S+ no longer exist, so they are not run: two, three/,
  );
  const narrowed = await project.assay('run', 'bad.eval.yaml', '--failed', project.runs()[0] ?? '');
  expect(narrowed.stdout + narrowed.stderr).not.toContain('no longer exist');
});

describe.concurrent('assay show --trial', () => {
  test('takes a case id when one trial has it, and names the keys when several have', async () => {
    await using project = projectWith(cases('one', 'two'));
    project.write({ 'more.eval.yaml': { tests: cases('two'), assert: [{ type: 'contains', value: 'a' }] } });
    await project.assay('run');
    const key = (id: string, suite = 'some') => `${suite}.eval.yaml/${id}/agent/r1`;
    const [byKey, byId, several, misspelt] = await Promise.all([
      project.assay('show', 'latest', '--trial', key('one')),
      project.assay('show', 'latest', '--trial', 'one'),
      project.assay('show', 'latest', '--trial', 'two'),
      project.assay('show', 'latest', '--trial', 'noe'),
    ]);
    expect({ code: byId.code, stdout: byId.stdout }).toEqual({ code: 0, stdout: byKey.stdout });
    const id = basename(newestRun(project));
    expect({ code: several.code, stderr: several.stderr }).toEqual({
      code: 2,
      stderr: `assay: ${id} has 2 trials of two\n  name one of them: ${key('two', 'more')}, ${key('two')}\n`,
    });
    expect(misspelt.stderr).toBe(`assay: ${id} has no trial noe\n  did you mean one?\n`);
  });
});

describe.concurrent('resume of a run that is complete', () => {
  test('says that nothing is left, and leaves its end where it was', async () => {
    await using project = projectWith(cases('one'));
    await project.assay('run');
    const before = manifestOf(newestRun(project));
    const resumed = await project.assay('resume', 'latest');
    expect({ code: resumed.code, endedAt: manifestOf(newestRun(project)).endedAt }).toEqual({
      code: 0,
      endedAt: before.endedAt,
    });
    expect(resumed.stdout).toContain(`Nothing to run in ${before.id}: all 1 trials have ended.`);
  });

  test('refuses when an expectation has changed or a suite was added', async () => {
    await using project = projectWith(cases('one'));
    await project.assay('run');
    project.write({
      'some.eval.yaml': { tests: cases('one'), assert: [{ type: 'contains', value: 'idea' }] },
      'more.eval.yaml': { tests: cases('two'), assert: [{ type: 'contains', value: 'answer' }] },
    });
    const resumed = await project.assay('resume', 'latest');
    expect({ code: resumed.code, stderr: resumed.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(
        'suite some.eval.yaml (case one), suite more.eval.yaml is new',
      ) as string,
    });
    const accepted = await project.assay('resume', 'latest', '--accept-changes');
    const outcomes = rowsOf(newestRun(project)).map(({ caseId, verdict }) => [caseId, verdict]);
    expect({ code: accepted.code, outcomes: outcomes.sort() }).toEqual({
      code: 1,
      outcomes: [
        ['one', 'failed'],
        ['two', 'passed'],
      ],
    });
  });

  test('does not bring back a case that was removed, wherever its rows are read anew', async () => {
    await using project = projectWith(cases('one', 'two'));
    await project.assay('run');
    project.write({
      'some.eval.yaml': { tests: cases('one'), assert: [{ type: 'contains', value: 'answer' }] },
    });
    expect((await project.assay('resume', 'latest', '--accept-changes')).code).toBe(0);
    const run = newestRun(project);
    const ids = (of: string) => rowsOf(of).map(({ caseId }) => caseId);
    const rebuilt = await project.assay('show', 'latest', '--rebuild');
    expect({ code: rebuilt.code, ids: ids(run) }).toEqual({ code: 0, ids: ['one'] });
    const graded = await project.assay('grade', 'latest');
    expect({ code: graded.code, ids: ids(newestRun(project)) }).toEqual({ code: 0, ids: ['one'] });
  });
});

describe.concurrent('the runs of a config that is named', () => {
  const named = { targets: { agent: { type: 'mock', response: 'the answer' } } };
  const tests = { tests: cases('one'), assert: [{ type: 'contains', value: 'answer' }] };

  test('are kept where other commands look for runs, with a config there and without', async () => {
    for (const more of [{}, { 'assay.config.json': { targets: {}, run: { outputDir: 'kept' } } }]) {
      await using project = openProject({ 'cfg/x.json': named, 'some.eval.yaml': tests, ...more });
      const ran = await project.assay('run', '--config', 'cfg/x.json');
      const [shown, listed] = [await project.assay('show', 'latest'), await project.assay('runs')];
      expect([ran.code, shown.code, listed.stdout.match(/\d{8}T\d{6}Z-\w{6}/g)?.length]).toEqual([0, 0, 1]);
      const place = Object.keys(more).length === 0 ? '.assay/runs' : 'kept';
      expect(ran.stdout).toContain(`Results: ${place}/`);
    }
  });

  test('are kept where it says, relative to itself', async () => {
    const config = { ...named, run: { outputDir: 'kept' } };
    await using project = openProject({ 'cfg/x.json': config, 'some.eval.yaml': tests });
    const ran = await project.assay('run', '--config', 'cfg/x.json');
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('Results: cfg/kept/')]);
  });
});

test('a target of the command line takes the place of one that is nowhere, also where the run is graded or resumed', async () => {
  await using project = openProject({
    'assay.config.json': { targets: { agent: { type: 'mock', response: 'the answer' } } },
    'some.eval.yaml': {
      execution: { target: 'gone' },
      tests: cases('one'),
      assert: [{ type: 'contains', value: 'answer' }],
    },
  });
  const codes = [];
  for (const args of [
    ['run'],
    ['run', '--target', 'agent'],
    ['resume', 'latest'],
    ['grade', 'latest'],
    ['validate'],
  ]) {
    codes.push((await project.assay(...args)).code);
  }
  expect(codes).toEqual([2, 0, 0, 0, 2]);
});
