import { expect, test } from 'vitest';

import { measuredPart, storedCaseDigest } from '../../../authoring/stored/digest.ts';
import { DEFAULT_LIMITS } from '../../../core/limits.ts';
import type { CaseFields, KeptCase } from '../../../core/case-store.ts';
import type { Frozen } from '../../../core/run.ts';
import type { RunSpec } from '../../../core/run-spec.ts';
import type { Store } from '../../../core/store.ts';
import type { ToolMock } from '../../../core/test-case.ts';
import type { JsonValue } from '../../../lib/json.ts';
import { labelDigest } from '../../../storage/runs/label-digest.ts';
import { mocksDigestOf } from '../mocks-digest.ts';
import { casesOfRun } from './cases-of-run.ts';

const fields = (more: Partial<CaseFields> = {}): CaseFields => ({
  name: 'one',
  description: null,
  difficulty: 'hard',
  tags: ['a'],
  status: 'active',
  persona: null,
  initial_message: 'hi',
  user_context: null,
  max_turns: null,
  expected_outcomes: null,
  expected_tool_calls: null,
  evaluation_criteria_override: null,
  ...more,
});

const MOCKS: readonly ToolMock[] = [{ tool: 'look', answer: { result: 'found' } } as ToolMock];

/** A run that planned two cases of three; the second one is archived, and has mocks. */
function plannedRun() {
  const [one, two] = [fields(), fields({ name: 'two', status: 'archived', initial_message: 'k9-secret' })];
  const digests = [storedCaseDigest(one), storedCaseDigest(two), mocksDigestOf({ mocks: MOCKS })];
  const spec: RunSpec = {
    formatVersion: 1,
    options: { patterns: [], stored: true, targets: [], cases: [] },
    settings: {
      seed: 1,
      concurrency: 1,
      threshold: 0.8,
      retryInfrastructure: 1,
      maxErrored: 0,
      failFast: false,
      limits: DEFAULT_LIMITS,
    },
    suites: [{ id: 'stored', file: '/p', cases: 3 }],
    kinds: [
      { suite: 0, targets: ['t'], repeat: 1, graderCount: 0 },
      { suite: 0, targets: ['t'], repeat: 1, graderCount: 0, mocks: 2, skip: { kind: 'archived' } },
    ],
    cases: { id: ['id-1', 'id-2'], at: [0, 2], kind: [0, 1], digest: [0, 1], graders: [] },
    targets: [],
    judges: { targets: [] },
    replays: {},
    digests,
  };
  const copies: Frozen[] = [
    { digest: digests[0] ?? '', kind: 'case', body: measuredPart(one) },
    { digest: digests[1] ?? '', kind: 'case', body: measuredPart(two) },
    { digest: digests[2] ?? '', kind: 'mocks', body: { mocks: MOCKS } as unknown as JsonValue },
    label('id-1', one),
    label('id-2', two),
  ];
  return { one, two, spec, copies };
}

function label(id: string, { name, difficulty, tags }: CaseFields): Frozen {
  return { digest: labelDigest(id), kind: 'label', body: { name, difficulty, tags: [...tags] } };
}

const runOf = (copies: readonly Frozen[]) => ({
  async *frozen(digests?: ReadonlySet<unknown>) {
    for (const copy of copies) if (digests?.has(copy.digest) !== false) yield copy;
  },
});

test('cases are made of the copies of a run, at their places in the suite', async () => {
  const { one, two, spec, copies } = plannedRun();
  const { cases, problems } = await casesOfRun(runOf(copies), { spec, repeat: 1 }, { cwd: '/p' }).read({});
  const taken = { directory: '/p', movedMocks: 0 };
  expect([cases, problems]).toEqual([
    [
      { id: 'id-1', case: one, mocks: [], ...taken },
      undefined,
      { id: 'id-2', case: two, mocks: MOCKS, ...taken },
    ],
    [],
  ]);
});

test('a case whose copy lacks a secret is taken from the store', async () => {
  const { one, spec, copies } = plannedRun();
  const hidden = copies.map((copy) =>
    copy.digest === spec.digests[1]
      ? { ...copy, body: { ...(copy.body as object), initial_message: '[x]' } }
      : copy,
  );
  const now: KeptCase = { id: 'id-2', createdAt: '', updatedAt: '', fields: fields({ name: 'now' }) };
  const asked: unknown[] = [];
  const cases = {
    selected: async (selector: unknown) => {
      asked.push(selector);
      return [now];
    },
    mocksOf: async () => new Map(),
  };
  const store = { cases } as unknown as Store;
  const door = { find: async () => store, open: async () => store };
  const read = await casesOfRun(runOf(hidden), { spec, repeat: 1 }, { cwd: '/p', store: door }).read({});
  expect([read.cases.map((each) => each?.case.name), asked]).toEqual([
    [one.name, undefined, 'now'],
    [{ ids: ['id-2'] }],
  ]);
});

test('a member of a set keeps the repetitions that it was planned with', async () => {
  const { spec, copies } = plannedRun();
  const kinds = spec.kinds.map((kind, index) => ({ ...kind, repeat: index === 0 ? 6 : 2 }));
  const options = { ...spec.options, repeat: 2 };
  const read = await casesOfRun(
    runOf(copies),
    { spec: { ...spec, kinds, options }, repeat: 1 },
    { cwd: '/p' },
  ).read({});
  const factors = spec.cases.at.map((at) => read.cases[at]?.repeatFactor);
  expect(factors).toEqual(spec.cases.kind.map((kind) => (kind === 0 ? 3 : undefined)));
});
