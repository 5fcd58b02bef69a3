import type { CaseList } from '../../core/test-case.ts';
import { isObject } from '../../lib/json.ts';
import { buildCase, type BuiltCase } from './build-case.ts';
import { check } from './check.ts';
import { dependencyFaults, type Dependent } from './dependencies.ts';
import { fault, under, type Fault } from './fault.ts';
import { suiteList, typesOfTest } from './grader-types.ts';
import { testGrammar } from './grammar.ts';
import { createCasePacker, type CaseOrigin } from './packed-cases.ts';
import { infiniteFaults, mayHoldRounded, roundedFaults } from './number-faults.ts';
import { withColumnChecks } from './column-checks.ts';
import { csvFault } from './read-csv.ts';
import { besidesWhatIsMissing, checkRest } from './salvage.ts';
import type { LoadScope } from './scope.ts';
import type { Fragment, RawTest } from './source.ts';
import type { SuiteDefaults } from './suite-defaults.ts';
import type { TestBatch } from './test-files.ts';

const NO_TESTS = fault('no-tests', 'the suite has no tests', {
  path: ['tests'],
  hint: 'add one under `tests`, such as  - { id: greets, input: Say hello. }',
});

export interface CasesOf {
  readonly defaults: SuiteDefaults;
  /** The keys of the suite itself. */
  readonly fragment: Fragment;
  /** True when invalid suite keys were left out, so that missing values of tests are not reported. */
  readonly isIncomplete: boolean;
  /** Columns with graders. */
  readonly columns: readonly string[];
}

export interface LoadedCases {
  readonly list: CaseList;
  readonly metrics: ReadonlySet<string>;
  /** Cases without mistakes. */
  sound(): CaseList;
}

/** Checks, maps and packs tests as they come; no test is kept as an object. */
export async function loadCases(
  batches: AsyncIterable<TestBatch>,
  { defaults, fragment, isIncomplete, columns }: CasesOf,
  scope: LoadScope,
): Promise<LoadedCases> {
  const packer = createCasePacker();
  /** Positions in the packer. */
  const places = new Map<string, number>();
  const dependents: Dependent[] = [];
  const faulty = new Set<number>();
  const metrics = new Set<string>();

  const asksForAll = endsWithUser(defaults.keys.input);

  function addCase(raw: RawTest, origin: CaseOrigin): void {
    const { report } = scope;
    const test = check(testGrammar, raw.value);
    if (lacksInput(raw.value) && !asksForAll) report.add(raw.fragment, under(raw.path, INPUT_MISSING));
    if (test.faults !== undefined) {
      const words = raw.fragment.syntax === 'lines' ? csvFault : (found: Fault) => found;
      for (const found of test.faults) report.add(raw.fragment, under(raw.path, words(found)));
      const inside = isIncomplete ? besidesWhatIsMissing(scope, raw) : scope;
      checkRest({ raw, origin }, test, { defaults, scope: inside });
    } else if (isIncomplete) {
      const written = { test: test.value, raw, directory: origin.directory };
      buildCase(written, defaults, besidesWhatIsMissing(scope, raw));
    }
    if (test.value === undefined || isIncomplete) return claim(idOf(raw), raw, { json: 'null', origin });
    const built = buildCase({ test: test.value, raw, directory: origin.directory }, defaults, scope);
    scope.context.onTargets?.(built.targets);
    for (const { metric } of built.expectations ?? []) if (metric !== undefined) metrics.add(metric);
    if (built.dependsOn !== undefined) dependents.push({ id: built.id, dependsOn: built.dependsOn, raw });
    claim(built.id, raw, { json: jsonOf(built, raw, scope), origin });
  }

  function claim(id: unknown, raw: RawTest, { json, origin }: { json: string; origin: CaseOrigin }): void {
    const first = typeof id === 'string' ? places.get(id) : undefined;
    if (first !== undefined) {
      const { file, line } = packer.sourceOf(first);
      const message = `duplicate id "${String(id)}": it is also used by the test at ${line === undefined ? file : `${file}:${line}`}`;
      scope.report.add(raw.fragment, under(raw.path, fault('duplicate-id', message, { path: ['id'] })));
    } else if (typeof id === 'string') places.set(flat(id), packer.list.length);
    packer.add(json, origin, raw.line);
  }

  const inherited = suiteList(defaults.keys);
  for await (const { tests: written, origin } of batches) {
    const tests = written.map((raw) => withChecks(raw, columns, scope));
    await scope.context.graders.load(tests.flatMap(({ raw }) => typesOfTest(raw.value, inherited)));
    for (const { raw, isWrong } of tests) {
      const before = scope.report.count;
      if (isWrong) claim(idOf(raw), raw, { json: 'null', origin });
      else addCase(raw, origin);
      if (isWrong || scope.report.count > before || isIncomplete) faulty.add(packer.list.length - 1);
    }
  }
  for (const { raw, found } of dependencyFaults(dependents, places)) {
    scope.report.add(raw.fragment, under(raw.path, found));
  }
  if (packer.list.length === 0 && scope.report.count === 0) scope.report.add(fragment, NO_TESTS);
  return { list: packer.list, metrics, sound: () => withoutFaulty(packer.list, faulty) };
}

/** A test with the graders of its columns, and whether one of them is wrong. */
function withChecks(written: RawTest, columns: readonly string[], { report }: LoadScope) {
  const before = report.count;
  const raw = withColumnChecks(written, columns, report);
  return { raw, isWrong: report.count > before };
}

function withoutFaulty(list: CaseList, faulty: ReadonlySet<number>): CaseList {
  if (faulty.size === 0) return list;
  const places = Array.from({ length: list.length }, (_, index) => index).filter(
    (index) => !faulty.has(index),
  );
  return {
    length: places.length,
    at: (index) => list.at(places[index] ?? list.length),
  };
}

/** Conversations define how they begin. */
function lacksInput(value: unknown): boolean {
  return isObject(value) && !['input', 'turns', 'user'].some((key) => Object.hasOwn(value, key));
}

/** Whether the suite asks the question of tests without an `input` of their own. */
export function endsWithUser(input: unknown): boolean {
  const last: unknown = Array.isArray(input) ? input.at(-1) : input;
  if (typeof last === 'string') return true;
  return isObject(last) && (last['role'] ?? 'user') === 'user';
}

const INPUT_MISSING = fault('missing-key', '`input` is missing', { path: ['input'] });

function idOf({ value }: RawTest): unknown {
  return isObject(value) ? value['id'] : undefined;
}

/** JSON has no infinity and would write null. */
function jsonOf(built: BuiltCase, raw: RawTest, { report }: LoadScope): string {
  const json = JSON.stringify(built);
  const faults = [
    ...(json.includes('null') ? infiniteFaults(raw.value) : []),
    ...(mayHoldRounded(json) ? roundedFaults(raw.value, raw.fragment, raw.path) : []),
  ];
  for (const found of faults) report.add(raw.fragment, under(raw.path, found));
  return json;
}

/** Copies the text: a slice would keep the whole text in memory. V8 copies slices below 13 characters anyway. */
function flat(text: string): string {
  return text.length < 13 ? text : Buffer.from(text).toString();
}
