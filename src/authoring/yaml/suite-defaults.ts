import type { Limits } from '../../core/limits.ts';
import type { Message } from '../../core/message.ts';
import type { WorkspacePlan } from '../../core/test-case.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import { camelKeys } from '../../lib/text/key-case.ts';
import { entriesOf, type Entry } from './entries.ts';
import { unknownTarget } from './entry-faults.ts';
import type { CheckedEntry } from './expectations.ts';
import { fault, under, type Fault, type Path } from './fault.ts';
import type { SuiteKeys } from './grammar.ts';
import { messagesOf } from './messages.ts';
import type { LoadScope, SuiteTargets } from './scope.ts';
import type { Fragment } from './source.ts';
import { fillInput, namesFiles } from './fill-input.ts';
import { hasVars } from './vars.ts';
import { workspacePlan } from './workspace-plan.ts';

/** What the keys of a suite mean for each of its tests. */
export interface SuiteDefaults {
  readonly keys: SuiteKeys;
  /** Absolute folder of the suite's file. */
  readonly directory: string;
  /** Without duplicates. */
  readonly tags: readonly string[];
  readonly targets?: readonly string[];
  readonly variants?: SuiteTargets;
  readonly workspace?: WorkspacePlan;
  readonly limits?: Partial<Limits>;
  readonly notes: readonly string[];
  /** Messages before the test's own. */
  input(vars: JsonObject | undefined): readonly Message[];
  evaluators(vars: JsonObject | undefined): readonly CheckedEntry[];
}

/** The places of the suite's keys. */
export interface SuitePlace {
  readonly fragment: Fragment;
  readonly directory: string;
}

export function suiteDefaults(keys: SuiteKeys, place: SuitePlace, scope: LoadScope): SuiteDefaults {
  const { fragment, directory } = place;
  const tellAt = (path: Path) => (found: Fault) => scope.report.add(fragment, under(path, found));
  const variants = suiteVariants(keys, place, scope);
  const targets =
    targetNames(keys.execution, { ...scope, variants }, tellAt(['execution'])) ?? variants?.names;
  const workspace =
    keys.workspace &&
    workspacePlan(keys.workspace, { directory, files: scope.files, tell: tellAt(['workspace']) });
  return {
    keys,
    directory,
    tags: [...new Set(keys.tags)],
    ...given({ targets, variants, workspace }),
    ...(keys.limits === undefined ? {} : { limits: given(camelKeys(keys.limits)) }),
    notes: bothLists(keys)
      ? ['the suite has both `assert` and `execution.evaluators`; only `assert` is used']
      : [],
    input: suiteInput(keys, place, scope),
    evaluators: suiteEvaluators(keys, place, scope),
  };
}

/** Makes the targets of `execution.variants` and reports its mistakes. */
function suiteVariants(
  { execution }: SuiteKeys,
  { fragment, directory }: SuitePlace,
  { context, report }: LoadScope,
): SuiteTargets | undefined {
  if (execution?.variants === undefined) return undefined;
  const path = ['execution', 'variants'];
  const made = context.variants?.(execution.variants, { fragment, directory, path });
  if (made === undefined) return undefined;
  const named = execution.targets ?? (execution.target === undefined ? undefined : [execution.target]);
  const isUsed = named?.some((name) => name === made.base || made.names.includes(name)) ?? true;
  const unused = isUsed ? [] : [unusedBase(made.base)];
  for (const found of [...made.faults, ...unused]) report.add(fragment, found);
  return made;
}

function unusedBase(base: string): Fault {
  const message = `\`variants.base\` is "${base}", but this target is missing in \`targets\` of the suite`;
  const hint = `add "${base}" to \`targets\`, or remove \`target\` and \`targets\``;
  return fault('conflict', message, { path: ['execution', 'variants', 'base'], hint });
}

/** The names in `target` and `targets`; unknown names are reported. The base of variants means these variants. */
export function targetNames(
  execution: Pick<NonNullable<SuiteKeys['execution']>, 'target' | 'targets'> | undefined,
  { context, variants }: Pick<LoadScope, 'context'> & { readonly variants: SuiteTargets | undefined },
  tell: (found: Fault) => void,
): readonly string[] | undefined {
  const { target, targets } = execution ?? {};
  if (target !== undefined && targets !== undefined) {
    tell({
      path: ['targets'],
      at: 'key',
      code: 'conflict',
      message: '`target` and `targets` cannot be used together',
    });
  }
  const names = targets ?? (target === undefined ? undefined : [target]);
  const known = context.targetsAreReplaced === true ? undefined : context.targets;
  for (const [index, name] of (names ?? []).entries()) {
    if (known === undefined || known.has(name) || name.startsWith('replay:')) continue;
    if (variants?.names.includes(name) === true) continue;
    const all = new Set([...known, ...(variants?.names ?? [])]);
    tell(unknownTarget(name, targets === undefined ? ['target'] : ['targets', index], all));
  }
  if (variants === undefined || variants.names.length === 0) return names;
  return names && [...new Set(names.flatMap((name) => (name === variants.base ? variants.names : [name])))];
}

/** Whether both ways of listing evaluators are used. */
export function bothLists(keys: Pick<SuiteKeys, 'assert' | 'execution'>): boolean {
  return keys.assert !== undefined && keys.execution?.evaluators !== undefined;
}

function suiteEntries(keys: SuiteKeys, { fragment, directory }: SuitePlace): readonly Entry[] {
  if (keys.assert !== undefined) return entriesOf(keys.assert, { fragment, directory, path: ['assert'] });
  return entriesOf(keys.execution?.evaluators ?? [], {
    fragment,
    directory,
    path: ['execution', 'evaluators'],
  });
}

/** Checked once, unless a `{{ vars.name }}` changes the list for each test. */
function suiteEvaluators(keys: SuiteKeys, place: SuitePlace, scope: LoadScope): SuiteDefaults['evaluators'] {
  const entries = suiteEntries(keys, place);
  const checkAll = (vars: JsonObject | undefined): readonly CheckedEntry[] =>
    entries.flatMap((entry) => {
      return scope.checkEntry(entry, vars, (found) => scope.report.add(entry.origin.fragment, found)) ?? [];
    });
  if (entries.some(({ value }) => hasVars(value))) return checkAll;
  const checked = checkAll(keys.vars);
  return () => checked;
}

function suiteInput({ input, vars }: SuiteKeys, place: SuitePlace, scope: LoadScope): SuiteDefaults['input'] {
  if (input === undefined) return () => [];
  const tell = (found: Fault): void => scope.report.add(place.fragment, under(['input'], found));
  const where = { role: 'user', directory: place.directory, files: scope.files, tell } as const;
  const messages = (supplied: JsonObject | undefined): readonly Message[] =>
    messagesOf(fillInput(input, supplied, where), where);
  if (hasVars(input) || namesFiles(input)) return messages;
  const made = messages(vars);
  return () => made;
}
