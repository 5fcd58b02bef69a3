import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import type { Expectation, TestCase } from '../../core/test-case.ts';
import type { JudgeIdentity } from './judge-identity.ts';
import { caseDigester, createDigestList } from './digests.ts';
import { fileDigest } from '../project/file-digests.ts';
import { gradersUnder } from '../../engine/plan.ts';
import { allGraders } from '../registry.ts';
import { folderOfTest } from '../../../test/support/test-folders.ts';

const builtIn = await allGraders();

const nobody: JudgeIdentity = { of: () => null, apart: [] };

let root = '';
beforeEach(() => void (root = folderOfTest('assay-digests-')));

function digestsOf(parts: Partial<TestCase>, graders = builtIn, identityOf = nobody) {
  const digests = createDigestList();
  const digester = caseDigester({
    digests,
    graders,
    projectRoot: root,
    identityOf,
    worldsByTool: new Map(),
    loaded: { config: {} },
  });
  const own = digester({ id: 'x', directory: root, tags: [], input: [], expectations: [], ...parts });
  return {
    case: digests.list[own.case],
    graders: own.graders.map((number) => digests.list[number]),
    terms: digests.list[own.terms ?? -1],
    mocks: digests.list[own.mocks ?? -1],
    under: (target: string) => gradersUnder(own, target).map((number) => digests.list[number]),
  };
}

const composite = (directory: string): Expectation => ({
  name: 'both',
  type: 'composite',
  weight: 1,
  directory,
  config: {
    aggregator: { type: 'min' },
    assert: [{ name: 'shape', type: 'is_json', weight: 1, directory, config: { schema: 'a.json' } }],
  },
});

test('the files and versions of the members of a composite count, and where they lie does not', () => {
  const [left, right] = ['left', 'right'].map((name) => join(root, name)) as [string, string];
  for (const folder of [left, right]) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.json'), '{}');
  }
  const before = digestsOf({ expectations: [composite(left)] }).graders;
  expect(digestsOf({ expectations: [composite(right)] }).graders).toEqual(before);
  const graders = new Map(builtIn);
  const member = graders.get('is_json');
  if (member !== undefined) graders.set('is_json', { ...member, version: member.version + 1 });
  expect(digestsOf({ expectations: [composite(left)] }, graders).graders).not.toEqual(before);
  writeFileSync(join(left, 'a.json'), '{"type": "object"}');
  expect(digestsOf({ expectations: [composite(left)] }).graders).not.toEqual(before);
});

test('of the words of a script only regular files of the project count', () => {
  const workspace = { setup: { script: ['node', 'setup.mjs', '.', 'pipe', '/dev/zero'] } };
  execFileSync('mkfifo', [join(root, 'pipe')]);
  const before = digestsOf({ workspace }).case;
  writeFileSync(join(root, 'other.txt'), 'new');
  expect(digestsOf({ workspace }).case).toBe(before);
  writeFileSync(join(root, 'setup.mjs'), 'new');
  expect(digestsOf({ workspace }).case).not.toBe(before);
});

test('threshold, expected failure, skip, dependencies, weights and gates are terms and nothing else', () => {
  const plain = digestsOf({ expectations: [composite(root)] });
  const terms = [
    { threshold: 0.5 },
    { expectedFail: true },
    { skip: { kind: 'skip' } },
    { dependsOn: ['y'] },
    { expectations: [{ ...composite(root), weight: 2 }] },
    { expectations: [{ ...composite(root), required: 1 }] },
  ] satisfies Partial<TestCase>[];
  const changed = terms.map((parts) => digestsOf({ expectations: [composite(root)], ...parts }));
  expect(new Set([plain, ...changed].map((each) => each.terms)).size).toBe(7);
  expect(new Set([plain, ...changed].map((each) => JSON.stringify([each.case, each.graders]))).size).toBe(1);
});

test('mocks and faults of a case that brings its own digest have one of theirs, and are part of any other', () => {
  const mocks = [{ tool: 't', match: 'any', answer: { result: 1 } }] as const;
  const faults = [{ tool: 't', kind: 'slow', onCall: 1 }] as const;
  const [none, plain, faulty] = [{}, { mocks }, { mocks, faults }].map((more) =>
    digestsOf({ digest: 'own', ...more }),
  );
  expect([none?.case, plain?.case, faulty?.case, none?.mocks]).toEqual(['own', 'own', 'own', undefined]);
  expect(new Set([none?.mocks, plain?.mocks, faulty?.mocks]).size).toBe(3);
  expect([digestsOf({ mocks }).mocks, digestsOf({ mocks }).case === digestsOf({}).case]).toEqual([
    undefined,
    false,
  ]);
});

test('a file is its content, and a folder or nothing is absent', () => {
  writeFileSync(join(root, 'agent.sh'), 'echo');
  expect([root, join(root, 'none')].map(fileDigest)).toEqual(['absent', 'absent']);
  expect(fileDigest(join(root, 'agent.sh'))).toMatch(/^[0-9a-f]{64}$/);
});

test('the digest of a grader covers how its judge is asked, but not its time limit, also inside a composite', () => {
  const judge = { model: 'a/b', temperature: 0 };
  const graderOf = (type: string, config: object) =>
    digestsOf({ expectations: [{ name: 'good', type, weight: 1, config: { ...config } }] }).graders;
  const kinds: readonly (readonly [string, (named: object) => object])[] = [
    ['llm_judge', (named) => ({ judge: named })],
    ['rubrics', (named) => ({ criteria: ['x'], judge: named })],
    ['agent_judge', (named) => ({ prompt: 'x', judge: named })],
    ['composite', (named) => ({ assert: [], aggregator: { type: 'llm_judge', prompt: 'x', judge: named } })],
  ];
  for (const [type, config] of kinds) {
    const plain = graderOf(type, config(judge));
    expect([type, graderOf(type, config({ ...judge, timeout_ms: 5 }))]).toEqual([type, plain]);
    expect([type, graderOf(type, config({ ...judge, temperature: 1 }))]).not.toEqual([type, plain]);
  }
});

test('a judge of a target is part of what grades under that target, and no part of what grades under others', () => {
  const judged = [{ name: 'good', type: 'llm_judge', weight: 1, config: {} }];
  const judges = (named: string): JudgeIdentity => ({
    of: (_, target) => (target === 'own' ? named : 'shared'),
    apart: ['own'],
  });
  const [first, second] = ['one', 'other'].map((named) =>
    digestsOf({ expectations: judged }, builtIn, judges(named)),
  );
  expect(second?.under('bot')).toEqual(first?.under('bot'));
  expect(second?.under('own')).not.toEqual(first?.under('own'));
  expect(first?.under('own')).not.toEqual(first?.under('bot'));
  const plain = [{ name: 'says', type: 'contains', weight: 1, config: { value: 'x' } }];
  const unjudged = digestsOf({ expectations: plain }, builtIn, judges('one'));
  expect(unjudged.under('own')).toEqual(unjudged.under('bot'));
});
