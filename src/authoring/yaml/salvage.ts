import { isObject } from '../../lib/json.ts';
import { buildCase } from './build-case.ts';
import { check } from './check.ts';
import type { Checked } from './check.ts';
import type { Fault } from './fault.ts';
import { suiteKeysGrammar, testGrammar } from './grammar.ts';
import type { SuiteKeys } from './grammar.ts';
import type { CaseOrigin } from './packed-cases.ts';
import type { LoadScope } from './scope.ts';
import type { RawTest } from './source.ts';
import type { SuiteDefaults } from './suite-defaults.ts';

/** Keys of a suite as far as they follow the grammar. */
export interface SalvagedKeys {
  readonly keys: SuiteKeys;
  readonly faults: readonly Fault[];
  /** Something is missing that tests may rest on: what they lack may only seem to be lacking. */
  readonly isIncomplete: boolean;
}

/** Holds the keys of a suite against the grammar; what is wrong is left out, so that the rest can be looked at too. */
export function checkSuiteKeys(head: Readonly<Record<string, unknown>>): SalvagedKeys {
  const all = check(suiteKeysGrammar, head, ['tests']);
  if (all.faults === undefined) return { keys: all.value, faults: [], isIncomplete: false };
  const rest = check(suiteKeysGrammar, withoutFaulty(head, all.faults), ['tests']);
  const isIncomplete = all.faults.some(({ path: [key], code }) => {
    return code === 'unknown-key' || ['assert', 'execution', 'vars'].includes(String(key));
  });
  return { keys: rest.value ?? {}, faults: all.faults, isIncomplete };
}

/** Looks for what else is wrong with a test that does not follow the grammar: inside of what does. */
export function checkRest(
  { raw, origin }: { readonly raw: RawTest; readonly origin: CaseOrigin },
  { faults }: Pick<Checked<never>, 'faults'>,
  { defaults, scope }: { readonly defaults: SuiteDefaults; readonly scope: LoadScope },
): void {
  if (!isObject(raw.value) || faults?.some(({ path: [key] }) => key === undefined || key === 'vars') === true)
    return;
  const value = { ...STAND_IN, ...withoutFaulty(raw.value, faults ?? []) };
  const rest = check(testGrammar, value);
  if (rest.value === undefined) return;
  const { report } = scope;
  const depth = raw.path.length;
  const inside: LoadScope['report'] = {
    ...report,
    // What the test as a whole lacks may be what was left out.
    add: (fragment, found) => {
      if (found.path.length > depth) report.add(fragment, found);
    },
  };
  buildCase({ test: rest.value, raw, directory: origin.directory }, defaults, { ...scope, report: inside });
}

function withoutFaulty(
  value: Readonly<Record<string, unknown>>,
  faults: readonly Fault[],
): Record<string, unknown> {
  const faulty = new Set(faults.map(({ path }) => path[0]));
  return Object.fromEntries(Object.entries(value).filter(([key]) => !faulty.has(key)));
}

const STAND_IN = { id: 'id', input: '', criteria: 'criteria', expected_output: '' };
