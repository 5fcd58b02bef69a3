import { isObject } from '../../lib/json.ts';
import { buildCase } from './build-case.ts';
import { check, without, type Checked } from './check.ts';
import type { Fault } from './fault.ts';
import { suiteKeysGrammar, testGrammar, type SuiteKeys } from './grammar.ts';
import type { CaseOrigin } from './packed-cases.ts';
import type { LoadScope } from './scope.ts';
import type { RawTest } from './source.ts';
import type { SuiteDefaults } from './suite-defaults.ts';

/** The valid keys of a suite. */
export interface SalvagedKeys {
  readonly keys: SuiteKeys;
  readonly faults: readonly Fault[];
  /** True when something is left out that tests may depend on, so that missing values are not reported. */
  readonly isIncomplete: boolean;
}

/** Checks the keys of a suite against the grammar. Invalid ones are left out, so that the rest can be checked too. */
export function checkSuiteKeys(head: Readonly<Record<string, unknown>>): SalvagedKeys {
  const all = check(suiteKeysGrammar, head, ['tests']);
  if (all.faults === undefined) return { keys: all.value, faults: [], isIncomplete: false };
  const rest = salvaged(head, all.faults, (value) => check(suiteKeysGrammar, value, ['tests']));
  const isIncomplete = all.faults.some(({ path: [key, ...below], code }) => {
    const mayMeanAnother = code === 'unknown-key' && below.length === 0;
    return mayMeanAnother || ['assert', 'execution', 'vars'].includes(String(key));
  });
  return { keys: rest ?? {}, faults: all.faults, isIncomplete };
}

/** Looks for further mistakes in the valid parts of an invalid test. */
export function checkRest(
  { raw, origin }: { readonly raw: RawTest; readonly origin: CaseOrigin },
  { faults }: Pick<Checked<never>, 'faults'>,
  { defaults, scope }: { readonly defaults: SuiteDefaults; readonly scope: LoadScope },
): void {
  if (!isObject(raw.value) || faults?.some(({ path: [key] }) => key === undefined || key === 'vars') === true)
    return;
  const rest = salvaged(raw.value, faults ?? [], (value) => check(testGrammar, { ...STAND_IN, ...value }));
  if (rest === undefined) return;
  const { report } = scope;
  const depth = raw.path.length;
  const inside: LoadScope['report'] = {
    ...report,
    // A value that the test lacks may be one that was left out.
    add: (fragment, found) => {
      if (found.path.length > depth) report.add(fragment, found);
    },
  };
  buildCase({ test: rest, raw, directory: origin.directory }, defaults, { ...scope, report: inside });
}

/** The same when suite keys are left out: missing values are not reported, because tests may depend on those keys. */
export function besidesWhatIsMissing(scope: LoadScope, { path }: Pick<RawTest, 'path'>): LoadScope {
  const { report } = scope;
  const add: LoadScope['report']['add'] = (fragment, found) => {
    if (found.path.length > path.length && !RESTING.has(found.code)) report.add(fragment, found);
  };
  return { ...scope, report: { ...report, add } };
}

const RESTING: ReadonlySet<string> = new Set(['unknown-var', 'missing-key']);

type Mapping = Readonly<Record<string, unknown>>;

/** The valid part of a mapping: without its invalid values or, if needed, without their top-level keys. */
function salvaged<T>(value: Mapping, faults: readonly Fault[], read: (rest: Mapping) => Checked<T>) {
  const places = faults.map(({ path }) => path);
  const withoutPlaces = read(places.reduce(without, value as unknown) as Mapping).value;
  if (withoutPlaces !== undefined) return withoutPlaces;
  return read(places.map((path) => path.slice(0, 1)).reduce(without, value as unknown) as Mapping).value;
}

const STAND_IN = { id: 'id', input: '', criteria: 'criteria', expected_output: '' };
