import type { Problem } from '../../core/problem.ts';
import type { TestCase } from '../../core/test-case.ts';
import { mayGoOn, mayImprovise, openingOf } from '../../core/user.ts';
import { activeCases, type Plan } from '../../engine/plan.ts';
import type { TrialSettings } from '../../engine/trial-context.ts';
import type { UserChoice } from '../binding/choose-user.ts';
import type { UsedTarget } from '../binding/target-pool.ts';
import { placeOfCase } from './place-of-case.ts';

export interface Conversations {
  readonly plan: Pick<Plan, 'cases' | 'suites'>;
  /** Ids of the cases whose user has more than one line, or no written line. */
  readonly ids: ReadonlySet<string>;
  readonly targets: ReadonlyMap<string, UsedTarget>;
  readonly user: UserChoice | undefined;
  readonly settingsFor: (testCase: TestCase, target: string) => TrialSettings;
}

/** Problems that prevent planned conversations, and whether any needs a user that is asked for its messages. */
export function checkConversations(checked: Conversations): {
  readonly problems: readonly Problem[];
  readonly isUserAsked: boolean;
} {
  const { targets } = checked;
  const problems: Problem[] = [];
  let isUserAsked = false;
  for (const { planned, testCase, caps } of conversationsOf(checked)) {
    isUserAsked ||= caps.some((cap) => mayImprovise(testCase, cap));
    const userFault = faultOfUser(testCase, caps, checked.user);
    if (userFault !== undefined) {
      const key = userFault.code === 'no-user' ? 'user' : 'select';
      problems.push({ ...placeOfCase(testCase, key), ...userFault });
    }
    for (const [index, target] of planned.targets.entries()) {
      const used = targets.get(target);
      if (used?.plugin.multiTurn !== false || !mayGoOn(testCase, caps[index] ?? null)) continue;
      problems.push({ ...placeOfCase(testCase), ...oneTurn(testCase, target) });
    }
  }
  return { problems, isUserAsked };
}

/** Warnings about conversations that only the trial's timeout bounds, so their cost cannot be estimated. */
export function endlessTalks(checked: Omit<Conversations, 'user'>, file: string): readonly Problem[] {
  const ids = new Map<string, string>();
  for (const { testCase, caps } of conversationsOf(checked)) {
    const improvises = testCase.user?.type === 'simulated' && mayImprovise(testCase, null);
    if (improvises && caps.includes(null)) ids.set(testCase.id, testCase.name ?? testCase.id);
  }
  const [first] = ids.values();
  if (first === undefined) return [];
  const message = `${ids.size === 1 ? `the case ${JSON.stringify(first)} has` : `${ids.size} cases have`} a simulated user and no limit for turns, so a conversation can last until the trial times out`;
  const hint =
    'set `max_turns` in the case, `run.limits.maxTurns` or `--max-cost`; the cost estimate assumes 4 turns';
  return [{ file, code: 'endless-talk', message, hint }];
}

/** The conversations to run, with the limit for turns per target. */
function* conversationsOf({ plan, ids, settingsFor }: Omit<Conversations, 'user'>) {
  for (const { planned, testCase } of activeCases(plan, ({ id }) => ids.has(id))) {
    const caps = planned.targets.map((target) => settingsFor(testCase, target).limits.maxTurns);
    yield { planned, testCase, caps };
  }
}

type Words = Pick<Problem, 'code' | 'message' | 'hint'>;

function faultOfUser(
  testCase: TestCase,
  caps: readonly (number | null)[],
  user: UserChoice | undefined,
): Words | undefined {
  if (testCase.user?.type !== 'simulated') return undefined;
  const hasLine = openingOf(testCase).line !== undefined;
  if (user?.type === 'scripted') {
    if (hasLine || user.messages.length > 0) return undefined;
    const message = `the user of ${nameOf(testCase)} has nothing to say: the script is empty and the case has no first message`;
    return {
      code: 'nothing-to-say',
      message,
      hint: 'add a first message to the case, or a line to the script',
    };
  }
  if (user !== undefined || !caps.some((cap) => mayImprovise(testCase, cap))) return undefined;
  const message = `the case ${nameOf(testCase)} needs a simulated user, but no model is configured for it`;
  return { code: 'no-user', message, hint: 'add `user: { model: provider/name }` to the config' };
}

function oneTurn(testCase: TestCase, target: string): Words {
  return {
    code: 'one-turn-only',
    message: `the target ${JSON.stringify(target)} takes only one message per conversation, but ${nameOf(testCase)} may have more`,
    hint: 'set max_turns to 1, or choose another target',
  };
}

/** Cases of a store have ids that tell people nothing. */
function nameOf({ id, name = id }: TestCase): string {
  return JSON.stringify(name);
}
