import type { GraderPlugin } from '../../core/plugin.ts';
import type { Frozen } from '../../core/run.ts';
import type { TestCase } from '../../core/test-case.ts';
import type { CaseDigests } from '../../engine/plan.ts';
import { digestOf } from '../../lib/digest.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import { keepFrozen, readFrozen } from '../../storage/run-directory/frozen.ts';
import type { RunPaths } from '../../storage/run-directory/paths.ts';
import type { OpenRun } from './create-run.ts';
import { termsOf, userPromptOf } from '../plan/digests.ts';
import type { Handlers } from '../project/load-worlds.ts';
import { answersOf } from '../plan/mocks-digest.ts';
import type { PreparedRun } from '../plan/prepare-run.ts';

/** What copies of stored cases are made of. */
export interface FrozenSource {
  /** What is measured of stored cases, by digest. */
  readonly contents: ReadonlyMap<string, JsonObject>;
  readonly graders: ReadonlyMap<string, GraderPlugin>;
  readonly handlers: Handlers;
  /** By number. */
  readonly digests: readonly string[];
}

/** A case of a run, and what its digests are. */
export interface DigestedCase {
  readonly testCase: TestCase | undefined;
  readonly digests: CaseDigests;
}

/** Keeps copies of the stored cases of a plan in the directory of its run. */
export async function freezePlan(
  prepared: Pick<PreparedRun, 'plan' | 'contents' | 'graders' | 'handlers' | 'digests'>,
  { paths, redactor }: Pick<OpenRun, 'paths' | 'redactor'>,
): Promise<void> {
  const { plan } = prepared;
  const source = { ...prepared, digests: prepared.digests.list };
  await keepFrozen(paths, frozenCopies(casesOf(plan), source), redactor);
}

/** One at a time, so that the cases of a large suite are never all in memory. */
function* casesOf({ cases, suites }: PreparedRun['plan']): Generator<DigestedCase> {
  for (const { suite, index, digests } of cases) {
    yield { testCase: suites[suite]?.cases.at(index), digests };
  }
}

/** The copies of one run in another. */
export async function copyFrozen(
  from: Pick<RunPaths, 'frozen'>,
  { paths, redactor }: Pick<OpenRun, 'paths' | 'redactor'>,
): Promise<void> {
  const copies: Frozen[] = [];
  for await (const copy of readFrozen(from)) copies.push(copy);
  await keepFrozen(paths, copies, redactor);
}

/** Everything about stored cases that a later edit could change; no other case is copied. */
export function* frozenCopies(cases: Iterable<DigestedCase>, source: FrozenSource): Generator<Frozen> {
  if (source.contents.size === 0) return;
  for (const each of cases) yield* copiesOf(each, source);
}

function* copiesOf({ testCase, digests }: DigestedCase, source: FrozenSource): Generator<Frozen> {
  const content = source.contents.get(testCase?.digest ?? '');
  if (testCase === undefined || content === undefined) return;
  const copy = (kind: Frozen['kind'], number: number | undefined, body: unknown): readonly Frozen[] => {
    const digest = source.digests[number ?? -1];
    return digest === undefined ? [] : [{ digest, kind, body: plain(body) }];
  };
  yield* copy('case', digests.case, content);
  yield* copy('mocks', digests.mocks, answersOf(testCase, source.handlers));
  yield* copy('terms', digests.terms, JSON.parse(termsOf(testCase)));
  yield* copy('user-prompt', digests.userPrompt, userPromptOf(testCase));
  for (const [index, expectation] of testCase.expectations.entries()) {
    const { name: _name, weight: _weight, required: _required, directory: _directory, ...body } = expectation;
    const plugin = source.graders.get(expectation.type);
    const version = plugin?.version ?? 0;
    yield* copy('expectation', digests.graders[index], { ...body, version });
    for (const prompt of plugin?.prompts?.(expectation.config) ?? []) {
      yield { digest: digestOf(prompt), kind: 'judge-prompt', body: prompt };
    }
  }
}

function plain(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}
