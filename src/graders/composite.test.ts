import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { gradeOf, type Finding, type Grader } from '../core/grade.ts';
import type { GraderServices } from '../core/plugin.ts';
import type { Expectation } from '../core/test-case.ts';
import { decide } from '../core/verdict.ts';
import { modelServer } from '../../test/support/model-server.ts';
import { usageOf } from '../core/usage.ts';
import { servicesOver } from '../../test/support/judging.ts';
import { given } from '../lib/given.ts';
import { codeJudge } from './code-judge.ts';
import { composite } from './composite.ts';
import { problemsOf, services as noServices, subjectOf } from './subject.fixture.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

const USAGE = { input: 100, output: 20 };
const PRICE = { input: 1, output: 5 };

type Gives = Finding | readonly Finding[] | Error;

/** A member that finds what its config says. */
const member = (name: string, gives: number | Gives, more: Partial<Expectation> = {}): Expectation => ({
  name,
  type: 'fixed',
  weight: 1,
  config: {
    gives: (typeof gives === 'number' ? { score: gives, reason: `${name} says so` } : gives) as never,
  },
  ...more,
});

const services: GraderServices = {
  ...noServices,
  directory: tmpdir(),
  environment: { PATH: `${process.execPath}/..:/usr/bin:/bin` },
  graderFor: ({ type, config }): Grader => {
    if (type === 'composite') return composite.create(config as never, services);
    if (type === 'broken') throw new Error('no such grader');
    const gives = config['gives'] as unknown as Gives;
    return {
      grade: async () => {
        if (gives instanceof Error) throw gives;
        return Array.isArray(gives) ? gives : [gives as Finding];
      },
    };
  },
};

async function grade(
  assert: readonly Expectation[],
  aggregator?: unknown,
  supplied = services,
): Promise<readonly Finding[]> {
  const checked = composite.config.parse({ assert, ...given({ aggregator }) });
  const grader = composite.create({ ...checked, assert: assert as never }, supplied);
  return await grader.grade(subjectOf(), new AbortController().signal);
}

async function scoreOf(assert: readonly Expectation[], aggregator?: unknown) {
  const [finding, ...more] = await grade(assert, aggregator);
  expect(more).toEqual([]);
  const { score, passed, reason } = finding as Finding;
  return { score, ...given({ passed }), reason };
}

const mixed = [member('a', 1, { weight: 3 }), member('b', 0.5), member('c', 0)];

describe('aggregators', () => {
  test('the weighted average is the default, and the reason names failed members', async () => {
    const finding = {
      score: 0.7,
      reason: 'the weighted average is 0.7\nb (0.5): b says so\nc (0): c says so',
    };
    expect(await scoreOf(mixed)).toEqual(finding);
    expect(await scoreOf(mixed, { type: 'weighted_average' })).toEqual(finding);
  });

  test('threshold scores the share of members that passed, and passes when it is reached', async () => {
    const reason = (wanted: number) =>
      `1 of 3 members passed, ${wanted} of them must\nb (0.5): b says so\nc (0): c says so`;
    const share = 0.333333333;
    expect(await scoreOf(mixed, { type: 'threshold', value: 0.3 })).toEqual({
      score: share,
      passed: true,
      reason: reason(0.3),
    });
    expect(await scoreOf(mixed, { type: 'threshold', value: 0.5 })).toEqual({
      score: share,
      passed: false,
      reason: reason(0.5),
    });
  });

  test('a share of exactly the value reaches it', async () => {
    const thirds = [member('a', 1), member('b', 1), member('c', 0)];
    expect((await scoreOf(thirds, { type: 'threshold', value: 0.6666666667 })).passed).toBe(true);
  });

  test.each([
    ['min', 0],
    ['max', 1],
    ['all', 0],
    ['any', 1],
  ])('%s', async (aggregator, score) => {
    expect((await scoreOf(mixed, aggregator)).score).toBe(score);
    expect((await scoreOf(mixed, { type: aggregator })).score).toBe(score);
  });

  test('all and any count members by their own threshold', async () => {
    const lenient = [member('a', 0.5, { threshold: 0.4 }), member('b', 0.9)];
    expect((await scoreOf(lenient, 'all')).score).toBe(1);
    const strict = [member('a', 0.9, { threshold: 0.95 })];
    expect((await scoreOf(strict, 'any')).score).toBe(0);
  });

  test('a script gets the grades by name and decides', async () => {
    const source = `let text = ''; process.stdin.on('data', (d) => text += d).on('end', () => {
      const document = JSON.parse(text);
      console.log(JSON.stringify({ score: document.results.b.score, reason: 'b counts', details: document }));
    });`;
    const config = { camelKey: 1 };
    const [finding] = await grade([member('a', 1), member('b', 0.25, { required: 0.1 })], {
      type: 'code_judge',
      script: ['node', '-e', source],
      config,
    });
    const common = { type: 'fixed', weight: 1, duration_ms: expect.any(Number) };
    expect(finding).toMatchObject({
      score: 0.25,
      reason: 'b counts',
      details: {
        config,
        results: {
          a: { ...common, name: 'a', score: 1, passed: true, reason: 'a says so' },
          b: { ...common, name: 'b', score: 0.25, passed: false, required: 0.1, reason: 'b says so' },
        },
      },
    });
  });

  test('a module decides in a process that is kept', async () => {
    const directory = folderOfTest('composite-module-');
    const script = join(directory, 'combine.mjs');
    writeFileSync(
      script,
      'let asked = 0; export default ({ results }) => ({ score: results.a.score, reason: String(++asked) });',
    );
    for (const reason of ['1', '2'])
      expect(await grade([member('a', 0.5)], { type: 'code_judge', script })).toMatchObject([
        { score: 0.5, reason },
      ]);
  });

  test('a script that fails is an error of the composite', async () => {
    const asked = grade([member('a', 1)], { type: 'code_judge', script: ['node', '-e', 'process.exit(3)'] });
    await expect(asked).rejects.toThrow('the script exited with 3');
  });

  test('a judge sees the grades of the members and decides; its cost is added to theirs', async () => {
    const server = await modelServer(
      { rules: [{ reply: { json: { score: 0.4, reasoning: 'b is weak', evidence: [] }, usage: USAGE } }] },
      { records: true },
    );
    const paid = { score: 1, reason: 'fine', costUsd: 0.5, usage: usageOf(5, 1) };
    const members = [member('a', paid), member('b', 0.25)];
    const aggregator = { type: 'llm_judge', prompt: 'All in all?' };
    const judging = { ...services, ...servicesOver(server.url, { settings: { price: PRICE } }) };
    const [finding] = await grade(members, aggregator, { ...judging, graderFor: services.graderFor });
    expect(finding).toMatchObject({
      score: 0.4,
      reason: 'b is weak',
      model: 'local/judge',
      costUsd: 0.5002,
      usage: { inputTokens: 105, outputTokens: 21, totalTokens: 126 },
      members: [{ name: 'a' }, { name: 'b' }],
    });
    const sent = JSON.stringify(server.requests);
    expect(sent).toContain('All in all?');
    expect(sent).toContain(String.raw`results: {\"name\":\"b\",\"type\":\"fixed\"`);
  });

  test('a judge that gives no usable answer is an error of the composite', async () => {
    const server = await modelServer({ rules: [{ reply: { text: 'Nice.' } }] });
    const judging = { ...services, ...servicesOver(server.url), graderFor: services.graderFor };
    const [finding] = await grade([member('a', 1)], { type: 'llm_judge', prompt: 'well?' }, judging);
    expect(finding).toMatchObject({ score: null, failureCode: 'judge-invalid' });
  });
});

describe('members are full graders', () => {
  test('negate turns the score of a member round', async () => {
    expect(await scoreOf([member('a', 1, { negate: true })])).toEqual({
      score: 0,
      reason: 'the weighted average is 0\na (0): expected the opposite (negate): a says so',
    });
  });

  test('all grades of members are kept, in the written order', async () => {
    const [finding] = await grade([
      member('a', 1),
      member('b', [
        { score: 1, reason: 'whole' },
        { score: 1, reason: 'item', part: 'item', required: 0.8 },
      ]),
    ]);
    expect(finding?.members?.map(({ name, weight, required }) => ({ name, weight, required }))).toEqual([
      { name: 'a', weight: 1, required: undefined },
      { name: 'b', weight: 1, required: undefined },
      { name: 'b/item', weight: 0, required: 0.8 },
    ]);
  });

  test('a fallen gate inside keeps the score, fails the composite and is a fallen gate of the trial', async () => {
    const expectation = member('quality', 0, { type: 'composite' });
    const findings = await grade([member('a', 0.7, { required: 0.8 }), member('b', 1, { weight: 9 })]);
    const grades = findings.map((finding) => gradeOf(expectation, finding, { durationMs: 0 }));
    expect(grades).toMatchObject([
      {
        name: 'quality',
        score: 0.97,
        passed: false,
        reason: 'a is required (0.7 < 0.8): a says so\nthe weighted average is 0.97\na (0.7): a says so',
      },
      { name: 'quality/a', score: 0.7, required: 0.8, weight: 0 },
    ]);
    expect(decide(grades, 0.5)).toEqual({
      verdict: 'failed',
      score: 0.97,
      fallenGates: ['quality/a'],
      ungraded: 0,
    });
  });

  test('a gate that holds adds nothing', async () => {
    expect(await grade([member('a', 0.8, { required: 0.8 })])).toHaveLength(1);
  });

  test('a member with a failed gate has not passed, even with a low threshold', async () => {
    const [finding] = await grade([member('a', 0.85, { required: 0.9 }), member('b', 1)], 'all');
    expect(finding?.score).toBe(0);
  });

  test('members nest, and a gate deep inside is still a gate', async () => {
    const inner = member('inner', 0, {
      type: 'composite',
      config: {
        assert: [member('deep', 0, { required: 0.5 }), member('fine', 1)] as never,
        aggregator: 'max',
      },
    });
    const [finding, gate, ...more] = await grade([inner, member('other', 1)]);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({ score: 1, passed: false });
    expect(finding?.members?.[0]?.members?.map(({ name, score }) => ({ name, score }))).toEqual([
      { name: 'deep', score: 0 },
      { name: 'fine', score: 1 },
    ]);
    expect(gate).toMatchObject({ part: 'inner/deep', score: 0, required: 0.5, weight: 0 });
  });
});

describe('members that cannot be decided', () => {
  test('one with a weight is an error of the composite that names it, even under negate', async () => {
    const broken = member('a', new Error('no server'), { negate: true });
    await expect(grade([broken, member('b', 1)], 'any')).rejects.toThrow('a could not be decided: no server');
  });

  test('a member whose grader cannot be created is an error too', async () => {
    await expect(grade([member('a', 1, { type: 'broken' })])).rejects.toThrow(
      'a could not be decided: no such grader',
    );
  });

  test('one of weight 0 is shown and left out', async () => {
    const [finding] = await grade(
      [member('a', new Error('no server'), { weight: 0 }), member('b', 0.9)],
      'min',
    );
    expect(finding).toMatchObject({
      score: 0.9,
      members: [
        { name: 'a', score: null },
        { name: 'b', score: 0.9 },
      ],
    });
  });

  test('one of weight 0 that is a gate is an error', async () => {
    const gate = member('a', new Error('no server'), { weight: 0, required: 0.8 });
    await expect(grade([gate, member('b', 1)])).rejects.toThrow('a could not be decided: no server');
  });

  test('when no member has a weight nothing was graded', async () => {
    const assert = [member('a', 1, { weight: 0 })];
    const refused = composite.config.safeParse({ assert });
    expect(refused.error?.issues.map(({ message }) => message)).toEqual([
      'there would be no score: every member has weight 0, and none has `required`',
    ]);
    const grader = composite.create({ assert: assert as never, aggregator: 'min' }, services);
    await expect(grader.grade(subjectOf(), new AbortController().signal)).rejects.toThrow(
      'there is no score: every grader under `assert` has weight 0, and none has `required`',
    );
  });

  test('without weights the gates decide', async () => {
    const gates = [
      member('a', 0.9, { weight: 0, required: 0.8 }),
      member('b', 1, { weight: 0, required: 0.8 }),
    ];
    expect((await scoreOf(gates)).score).toBe(1);
  });
});

test('what members spent is on the composite, and unknown money stays unknown', async () => {
  const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };
  const paid = (costUsd: number | null): Finding => ({ score: 1, reason: 'r', usage, costUsd });
  const [known] = await grade([member('a', paid(0.1)), member('b', paid(0.2)), member('c', 1)]);
  expect(known?.usage).toEqual({ inputTokens: 2, outputTokens: 4, totalTokens: 6 });
  expect(known?.costUsd).toBeCloseTo(0.3, 12);
  const [unknown] = await grade([member('a', paid(null)), member('b', paid(0.2))]);
  expect(unknown?.costUsd).toBe(null);
});

describe('configuration', () => {
  const entries = [
    { type: 'contains', value: 'x' },
    { type: 'rubrics', criteria: ['y'], weight: 2 },
  ];

  test('entries of members pass as written', () => {
    const checked = composite.config.parse({ assert: entries });
    expect(checked).toEqual({ assert: entries, aggregator: 'weighted_average' });
    expect(composite.members?.(checked)).toEqual(entries);
  });

  test('invalid configurations are refused with a reason', () => {
    expect(problemsOf(composite, { assert: [] })).toEqual([
      expect.stringMatching(/^assert: must have at least one member/),
    ]);
    const aggregator = composite.config.safeParse({ assert: entries, aggregator: 'threshold' });
    expect(JSON.stringify(aggregator.error?.issues)).toContain('threshold needs its value');
    expect(
      composite.config.safeParse({ assert: entries, aggregator: { type: 'threshold', value: 2 } }).success,
    ).toBe(false);
    expect(composite.config.safeParse({ assert: entries, aggregator: 'mean' }).success).toBe(false);
  });

  test('the files of its script and whether it asks a judge are known', () => {
    const script = composite.config.parse({
      assert: entries,
      aggregator: { type: 'code_judge', script: ['./j.sh'] },
    });
    expect(composite.files?.(script)).toEqual(['./j.sh']);
    expect(composite.asksJudge?.(script)).toBe(false);
    const judge = composite.config.parse({
      assert: entries,
      aggregator: { type: 'llm_judge', prompt: './j.md' },
    });
    expect(composite.files?.(judge)).toEqual(['./j.md']);
    expect(composite.asksJudge?.(judge)).toBe(true);
    expect(composite.readsCriteria?.(judge)).toBe(false);
  });
});

test('a code judge is a member like any other', async () => {
  const judge: Expectation = {
    name: 'tests',
    type: 'code_judge',
    weight: 1,
    config: { script: ['false'], timeout_ms: 5000 },
  };
  const grader = composite.create(
    { assert: [judge] as never, aggregator: 'min' },
    { ...services, graderFor: ({ config }) => codeJudge.create(config as never, services) },
  );
  const [finding] = await grader.grade(subjectOf(), new AbortController().signal);
  expect(finding).toMatchObject({
    score: 0,
    members: [{ name: 'tests', reason: 'the script exited with 1' }],
  });
});

test('names in the prompt file of a judge that aggregates are checked, and those in a script are not', () => {
  const faultsOf = (aggregator: object) =>
    composite.fileFaults?.(
      'Is {{ answr }} right?',
      composite.config.parse({ assert: [{ type: 'x' }], aggregator }),
      '/all.md',
    );
  expect(faultsOf({ type: 'llm_judge', prompt: './all.md' })).toEqual([
    'unknown name {{ answr }} in a prompt (did you mean answer?)',
  ]);
  expect(faultsOf({ type: 'code_judge', script: ['./all.py'] })).toEqual([]);
});
