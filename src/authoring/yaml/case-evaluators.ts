import type { JsonObject } from '../../lib/json.ts';
import { entriesOf, IMPLICIT_JUDGE, rubricsEntry, type Entry, type EntryOrigin } from './entries.ts';
import type { CheckedEntry } from './expectations.ts';
import { fault, type Fault, type Path } from './fault.ts';
import { suiteList } from './grader-types.ts';
import type { LoadScope } from './scope.ts';
import type { SuiteDefaults } from './suite-defaults.ts';
import type { WrittenTest } from './written-test.ts';

export interface CaseEvaluators {
  /** Written in the test, or created for it. */
  readonly own: readonly CheckedEntry[];
  readonly inherited: readonly CheckedEntry[];
}

/** The evaluators of a test: its rubrics, its own, those of the suite. Without any, a judge of its `criteria`. */
export function evaluatorsOf(
  written: WrittenTest,
  vars: JsonObject | undefined,
  { suite, scope }: { readonly suite: SuiteDefaults; readonly scope: LoadScope },
): CaseEvaluators {
  const { test, raw } = written;
  const entries = ownEntries(written);
  const inherited = test.execution?.skip_defaults === true ? [] : suite.evaluators(vars);
  const hasDefaults = suiteList(suite.keys);
  const ofTurns = turnEvaluators(written, vars, scope);
  const hasNone =
    entries.length === 0 &&
    ofTurns.length === 0 &&
    (test.execution?.skip_defaults === true || !hasDefaults?.length);
  if (hasNone && !scope.context.hasJudge) {
    scope.report.add(raw.fragment, {
      ...(test.criteria === undefined ? NO_CHECK : NO_JUDGE),
      path: raw.path,
    });
    return { own: [], inherited };
  }
  const listed = hasNone ? [implicitJudge(written)] : entries;
  const tell = (found: Fault): void => scope.report.add(raw.fragment, found);
  const own: CheckedEntry[] = [];
  for (const entry of listed) {
    const checked = scope.checkEntry(entry, vars, tell);
    if (checked !== undefined) own.push(checked);
  }
  return { own: [...own, ...ofTurns], inherited };
}

const NO_CHECK = fault('missing-key', 'the test has no check', {
  hint: 'add `assert` to the suite or to the test; in a CSV file, add a column `__expected`',
});

const NO_JUDGE = fault(
  'no-judge',
  'a test without evaluators is judged by `criteria`, but no judge is configured',
  { hint: 'add `assert` to the test, or `judge` to the config' },
);

function turnEvaluators(
  written: WrittenTest,
  vars: JsonObject | undefined,
  scope: LoadScope,
): readonly CheckedEntry[] {
  const { test, raw } = written;
  const tell = (found: Fault): void => scope.report.add(raw.fragment, found);
  return (test.turns ?? []).flatMap(({ assert = [] }, index) =>
    entriesOf(assert, originOf(written, 'turns', index, 'assert')).flatMap((entry) => {
      const checked = scope.checkEntry(entry, vars, tell);
      if (checked === undefined) return [];
      return [{ ...checked, expectation: { ...checked.expectation, afterLine: index + 1 } }];
    }),
  );
}

function ownEntries(written: WrittenTest): readonly Entry[] {
  const { test } = written;
  const own =
    test.assert === undefined
      ? entriesOf(test.execution?.evaluators ?? [], originOf(written, 'execution', 'evaluators'))
      : entriesOf(test.assert, originOf(written, 'assert'));
  if (test.rubrics === undefined) return own;
  return [rubricsEntry(test.rubrics, originOf(written, 'rubrics')), ...own];
}

function implicitJudge(written: WrittenTest): Entry {
  return { value: { type: IMPLICIT_JUDGE }, origin: originOf(written), written: 'none', index: 0 };
}

function originOf({ raw, directory }: WrittenTest, ...path: Path): EntryOrigin {
  return { fragment: raw.fragment, path: [...raw.path, ...path], directory };
}
