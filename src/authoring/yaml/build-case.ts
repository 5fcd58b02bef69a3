import type { Message } from '../../core/message.ts';
import type { Expectation } from '../../core/test-case.ts';
import type { JsonObject } from '../../lib/json.ts';
import { evaluatorsOf } from './case-evaluators.ts';
import { fault, under } from './fault.ts';
import type { Fault, Path } from './fault.ts';
import type { TestGrammar } from './grammar.ts';
import { messagesOf } from './messages.ts';
import { namedApart } from './expectations.ts';
import type { PackedCase } from './packed-cases.ts';
import type { LoadScope } from './scope.ts';
import type { RawTest } from './source.ts';
import { bothLists, limitsOf, targetNames } from './suite-defaults.ts';
import type { SuiteDefaults } from './suite-defaults.ts';
import { fillVars } from './vars.ts';
import { workspacePlan } from './workspace-plan.ts';

/** A test that follows the grammar, and where it is written. */
export interface WrittenTest {
  readonly test: TestGrammar;
  readonly raw: RawTest;
  /** Absolute folder of its file. */
  readonly directory: string;
}

/** The case that a test of a suite stands for; what is wrong with it is told. */
export function buildCase(written: WrittenTest, suite: SuiteDefaults, scope: LoadScope): PackedCase {
  const { test, raw } = written;
  const tellAt: TellAt = (path) => (found) =>
    scope.report.add(raw.fragment, under([...raw.path, ...path], found));
  const vars = merged(suite.keys.vars, test.vars);
  const ownTargets = targetNames(test.execution, scope, tellAt(['execution']));
  const { name, description, sidecar } = test;
  const tags = [...new Set([...(suite.keys.tags ?? []), ...(test.tags ?? [])])];
  const metadata = merged(suite.keys.metadata, test.metadata);
  return {
    id: test.id,
    ...defined({ name, description }),
    tags,
    ...messageParts(written, vars, { suite, scope, tellAt }),
    ...defined({ metadata, sidecar, vars }),
    ...settings(written, suite, { scope, tellAt }),
    ...defined({ targets: ownTargets ?? suite.targets }),
    expectations: expectationsOf(written, vars, { suite, scope, tellAt }),
    ...notes(test, suite),
  };
}

type TellAt = (path: Path) => (found: Fault) => void;

interface Building {
  readonly suite: SuiteDefaults;
  readonly scope: LoadScope;
  readonly tellAt: TellAt;
}

function messageParts(
  { test, directory }: WrittenTest,
  vars: JsonObject | undefined,
  { suite, scope, tellAt }: Building,
): Pick<PackedCase, 'input' | 'criteria' | 'expectedOutput'> {
  const read = (
    key: 'input' | 'expected_output',
    role: 'user' | 'assistant',
  ): readonly Message[] | undefined => {
    const tell = tellAt([key]);
    const written = test[key];
    if (written === undefined) return undefined;
    return messagesOf(fillVars(written, vars, tell), { role, directory, files: scope.files, tell });
  };
  const own = read('input', 'user') ?? [];
  if (own.at(-1)?.role !== 'user') {
    const message =
      own.length === 0 ? '`input` has no message' : 'the last message of `input` must be from the user';
    tellAt(['input'])(fault('invalid-value', message));
  }
  const expectedOutput = read('expected_output', 'assistant');
  if (expectedOutput?.length === 0)
    tellAt(['expected_output'])(fault('invalid-value', '`expected_output` is empty'));
  const criteria =
    test.criteria === undefined ? undefined : fillVars(test.criteria, vars, tellAt(['criteria']));
  return { input: [...suite.input(vars), ...own], ...defined({ criteria, expectedOutput }) };
}

function settings(
  { test, directory }: WrittenTest,
  suite: SuiteDefaults,
  { scope, tellAt }: Omit<Building, 'suite'>,
): Partial<PackedCase> {
  const workspace =
    test.workspace &&
    workspacePlan(test.workspace, { directory, files: scope.files, tell: tellAt(['workspace']) });
  return defined({
    workspace: merged(suite.workspace, workspace),
    limits: merged(suite.limits, test.limits && limitsOf(test.limits)),
    threshold: test.threshold ?? suite.keys.threshold,
    repeat: test.repeat ?? suite.keys.repeat,
    expectedFail: test.expected_fail,
    skip: test.skip === undefined ? undefined : { kind: 'skip' as const, reason: test.skip },
    dependsOn: test.depends_on,
  });
}

function expectationsOf(
  written: WrittenTest,
  vars: JsonObject | undefined,
  { suite, scope, tellAt }: Building,
): readonly Expectation[] {
  const { test, directory } = written;
  const { own, inherited } = evaluatorsOf(written, vars, { suite, scope });
  const all = [...own, ...inherited];
  const tell = tellAt([]);
  const reader = test.criteria === undefined ? all.find(({ readsCriteria }) => readsCriteria) : undefined;
  if (reader !== undefined) {
    tell(
      fault('missing-key', `\`criteria\` is missing: the evaluator "${reader.expectation.name}" reads it`),
    );
  }
  const comparer =
    test.expected_output === undefined ? all.find(({ readsReference }) => readsReference) : undefined;
  if (comparer !== undefined) {
    const { name } = comparer.expectation;
    tell(fault('missing-key', `\`expected_output\` is missing: the evaluator "${name}" compares with it`));
  }
  const isElsewhere = suite.directory !== directory;
  return namedApart([
    ...own.map(({ expectation }) => expectation),
    ...inherited.map(({ expectation }) =>
      isElsewhere ? { ...expectation, directory: suite.directory } : expectation,
    ),
  ]);
}

function notes(test: TestGrammar, suite: SuiteDefaults): Pick<PackedCase, 'notes'> {
  const own = bothLists(test) ? ['the test has `assert` and `execution.evaluators`: `assert` counts'] : [];
  const all = [...own, ...suite.notes];
  return all.length === 0 ? {} : { notes: all };
}

function merged<T extends object>(defaults: T | undefined, own: T | undefined): T | undefined {
  return defaults === undefined || own === undefined ? (own ?? defaults) : { ...defaults, ...own };
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function defined<T extends object>(value: T): Defined<T> {
  const result: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) if (member !== undefined) result[key] = member;
  return result as Defined<T>;
}
