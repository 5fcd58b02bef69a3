import { enclosedInput, enclosingTexts, ENCLOSING_NAMES } from '../../core/enclosing-texts.ts';
import type { Message, Part } from '../../core/message.ts';
import type { Expectation, WorkspacePlan } from '../../core/test-case.ts';
import type { UserPlan } from '../../core/user.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import { camelKeys } from '../../lib/text/key-case.ts';
import { evaluatorsOf } from './case-evaluators.ts';
import { fault, under, type Fault, type Path } from './fault.ts';
import type { TestGrammar } from './grammar.ts';
import { messagesOf } from './messages.ts';
import { namedApart } from './expectations.ts';
import type { PackedCase } from './packed-cases.ts';
import type { LoadScope } from './scope.ts';
import { bothLists, targetNames, type SuiteDefaults } from './suite-defaults.ts';
import { userPlanOf } from './user-plan.ts';
import { fillInput } from './fill-input.ts';
import { fillVars } from './vars.ts';
import type { WrittenTest } from './written-test.ts';
import { workspacePlan } from './workspace-plan.ts';
import { worldPlan } from './world-plan.ts';
import { namedValue } from '../../lib/text/template.ts';

/** A case as written to JSON, without undefined values. */
export type BuiltCase = { readonly [Key in keyof PackedCase]: PackedCase[Key] | undefined } & Pick<
  PackedCase,
  'id'
>;

export function buildCase(written: WrittenTest, suite: SuiteDefaults, scope: LoadScope): BuiltCase {
  const { test, raw } = written;
  const tellAt: TellAt = (path) => (found) =>
    scope.report.add(raw.fragment, under([...raw.path, ...path], found));
  const building: Building = {
    suite,
    scope,
    tellAt,
    vars: varsOf(merged(suite.keys.vars, test.vars), tellAt),
  };
  const expectedOutput = idealMessages('expected_output', written, building);
  const ownTargets =
    test.execution &&
    targetNames(test.execution, { context: scope.context, variants: suite.variants }, tellAt(['execution']));
  return {
    id: test.id,
    name: test.name,
    description: test.description,
    tags: test.tags === undefined ? suite.tags : [...new Set([...suite.tags, ...test.tags])],
    input: inputOf(written, building),
    user: userOf(written, building),
    maxTurns: test.user?.max_turns,
    criteria: test.criteria && fillVars(test.criteria, building.vars, tellAt(['criteria'])),
    expectedOutput,
    oracle: idealMessages('oracle', written, building),
    metadata: merged(suite.keys.metadata, test.metadata),
    sidecar: test.sidecar,
    vars: building.vars,
    workspace: merged(suite.workspace, test.workspace && workspaceOf(written, building)),
    limits: merged(suite.limits, test.limits && given(camelKeys(test.limits))),
    threshold: test.threshold ?? suite.keys.threshold,
    repeat: test.repeat ?? suite.keys.repeat,
    expectedFail: test.impossible === undefined ? test.expected_fail : true,
    impossible: test.impossible,
    skip: test.skip === undefined ? undefined : { kind: 'skip', reason: test.skip },
    dependsOn: test.depends_on,
    targets: ownTargets ?? suite.targets,
    tools: suite.keys.tools as BuiltCase['tools'],
    ...worldPlan(suite.keys, test),
    expectations: expectationsOf(written, building, expectedOutput?.at(-1)?.parts),
    notes: notesOf(test, suite),
  };
}

type TellAt = (path: Path) => (found: Fault) => void;

interface Building {
  readonly suite: SuiteDefaults;
  readonly scope: LoadScope;
  readonly tellAt: TellAt;
  readonly vars: JsonObject | undefined;
}

/** The variables, with the others filled into the texts around the question. */
function varsOf(vars: JsonObject | undefined, tellAt: TellAt): JsonObject | undefined {
  const around = ENCLOSING_NAMES.filter((name) => vars?.[name] !== undefined);
  if (around.length === 0) return vars;
  const filled = around.map((name) => {
    const text = vars?.[name] ?? '';
    const tell = tellAt(['vars', name]);
    if (typeof text !== 'string') tell(fault('invalid-value', `\`${name}\` must be a text`));
    return [name, fillVars(text, vars, tell)];
  });
  return { ...vars, ...Object.fromEntries(filled) };
}

function inputOf(
  { test, directory }: WrittenTest,
  { suite, scope, tellAt, vars }: Building,
): readonly Message[] {
  const tell = tellAt(['input']);
  const isWhole = test.turns === undefined && test.user === undefined;
  const before = suite.input(vars);
  // The texts belong to the first message of the user. With `turns`, this is the first turn.
  const around = enclosingTexts(test.turns === undefined ? vars : {});
  if (test.input === undefined) return enclosedInput(before, around);
  const place = { role: 'user', directory, files: scope.files, tell } as const;
  const own = messagesOf(fillInput(test.input, vars, place), place);
  if (own.length === 0) tell(fault('invalid-value', '`input` contains no messages'));
  else if (isWhole && own.at(-1)?.role !== 'user') {
    tell(fault('invalid-value', 'the last message of `input` must have the role `user`'));
  }
  return enclosedInput(before.length === 0 ? own : [...before, ...own], around);
}

function userOf({ test, directory }: WrittenTest, { scope, tellAt, vars }: Building): UserPlan | undefined {
  return userPlanOf(test, { vars, tellAt, place: { directory, files: scope.files } });
}

function idealMessages(
  key: 'expected_output' | 'oracle',
  { test, directory }: WrittenTest,
  { scope, tellAt, vars }: Building,
): readonly Message[] | undefined {
  if (test[key] === undefined) return undefined;
  const tell = tellAt([key]);
  const place = { role: 'assistant', directory, files: scope.files, tell } as const;
  const messages = messagesOf(fillVars(test[key], vars, tell), place);
  if (messages.length === 0) tell(fault('invalid-value', `\`${key}\` contains no messages`));
  return messages;
}

function workspaceOf({ test, directory }: WrittenTest, { scope, tellAt }: Building): WorkspacePlan {
  return workspacePlan(test.workspace ?? {}, { directory, files: scope.files, tell: tellAt(['workspace']) });
}

function expectationsOf(
  written: WrittenTest,
  { suite, scope, tellAt, vars }: Building,
  reference: readonly Part[] | undefined,
): readonly Expectation[] {
  const { test, directory } = written;
  const { own, inherited } = evaluatorsOf(written, vars, { suite, scope });
  for (const list of [own, inherited]) {
    for (const { expectation, readsCriteria, readsReference, readsVars } of list) {
      for (const name of readsVars) {
        if (namedValue({ vars }, name) === undefined) tellAt([])(unfilled(name, expectation));
      }
      if (readsCriteria && test.criteria === undefined)
        tellAt([])(unread('criteria', 'reads it', expectation));
      if (readsReference && test.expected_output === undefined) {
        tellAt([])(unread('expected_output', 'compares with it', expectation));
      }
      if (reference === undefined) continue;
      const plugin = scope.context.graders.get(expectation.type);
      for (const message of plugin?.referenceFaults?.(expectation.config, reference) ?? [])
        tellAt(['expected_output'])(fault('invalid-value', `${expectation.name}: ${message}`));
    }
  }
  const isElsewhere = suite.directory !== directory;
  const expectations = own.map(({ expectation }) => expectation);
  for (const { expectation } of inherited) {
    expectations.push(isElsewhere ? { ...expectation, directory: suite.directory } : expectation);
  }
  return namedApart(expectations);
}

function unread(key: string, why: string, { name }: Expectation): Fault {
  return fault('missing-key', `\`${key}\` is missing: the evaluator "${name}" ${why}`);
}

function unfilled(name: string, { name: evaluator }: Expectation): Fault {
  const message = `unknown variable \`${name}\` in a prompt file of the evaluator "${evaluator}"`;
  return fault('unknown-var', message, { hint: 'add it to `vars` of the test or the suite' });
}

function notesOf(test: TestGrammar, suite: SuiteDefaults): readonly string[] | undefined {
  if (!bothLists(test)) return suite.notes.length === 0 ? undefined : suite.notes;
  return ['the test has both `assert` and `execution.evaluators`; only `assert` is used', ...suite.notes];
}

function merged<T extends object>(defaults: T | undefined, own: T | undefined): T | undefined {
  return defaults === undefined || own === undefined ? (own ?? defaults) : { ...defaults, ...own };
}
