import type { Problem } from '../../core/problem.ts';
import type { TestCase } from '../../core/test-case.ts';
import { mayGoOn, mayImprovise, openingOf } from '../../core/user.ts';
import type { Plan } from '../../engine/plan.ts';
import type { TrialSettings } from '../../engine/parts.ts';
import type { UserChoice } from '../running/choose-user.ts';
import type { UsedTarget } from '../running/target-pool.ts';

export interface Conversations {
  readonly plan: Pick<Plan, 'cases' | 'suites'>;
  /** Ids of the cases whose user says more than one line, or none that is written down. */
  readonly ids: ReadonlySet<string>;
  readonly targets: ReadonlyMap<string, UsedTarget>;
  readonly user: UserChoice | undefined;
  readonly settingsFor: (testCase: TestCase, target: string) => TrialSettings;
}

/** What keeps planned conversations from being held. */
export function conversationFaults(checked: Conversations): readonly Problem[] {
  const { targets } = checked;
  const problems: Problem[] = [];
  for (const { planned, testCase, caps } of conversationsOf(checked)) {
    const userFault = faultOfUser(testCase, caps, checked.user);
    if (userFault !== undefined) problems.push({ ...placeOf(testCase), ...userFault });
    for (const [index, target] of planned.targets.entries()) {
      const used = targets.get(target);
      if (used?.plugin.multiTurn !== false || !mayGoOn(testCase, caps[index] ?? null)) continue;
      problems.push({ ...placeOf(testCase), ...oneTurn(testCase, target) });
    }
  }
  return problems;
}

/** Whether a user has to think of something to say in any of them. */
export function asksUser(checked: Omit<Conversations, 'user'>): boolean {
  for (const { testCase, caps } of conversationsOf(checked)) {
    if (testCase.user?.type === 'simulated' && caps.some((cap) => mayImprovise(testCase, cap))) return true;
  }
  return false;
}

/** Talks that only the trial's time ends where neither side does: what they cost is nobody's guess. */
export function endlessTalks(checked: Omit<Conversations, 'user'>, file: string): readonly Problem[] {
  const ids = new Set<string>();
  for (const { testCase, caps } of conversationsOf(checked)) {
    const improvises = testCase.user?.type === 'simulated' && mayImprovise(testCase, null);
    if (improvises && caps.includes(null)) ids.add(testCase.id);
  }
  const [first] = ids;
  if (first === undefined) return [];
  const message = `${ids.size === 1 ? `the case ${JSON.stringify(first)} has` : `${ids.size} cases have`} a simulated user and no cap of turns: one that never stops goes on until the trial's time is over`;
  const hint =
    'set `max_turns` in the case, `run.limits.maxTurns`, or `--max-cost`; an estimate takes 4 turns';
  return [{ file, code: 'endless-talk', message, hint }];
}

/** Those that will be run, with the most turns under each target. */
function* conversationsOf({ plan, ids, settingsFor }: Omit<Conversations, 'user'>) {
  for (const planned of plan.cases) {
    if (!ids.has(planned.id) || planned.skip !== undefined) continue;
    const testCase = plan.suites[planned.suite]?.cases.at(planned.index);
    if (testCase === undefined) continue;
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
    const message = `the user of ${JSON.stringify(testCase.id)} has no line: the script is empty, and the case has no first message`;
    return { code: 'nothing-to-say', message, hint: 'give the case a first message, or the script a line' };
  }
  if (user !== undefined || !caps.some((cap) => mayImprovise(testCase, cap))) return undefined;
  const message = `the case ${JSON.stringify(testCase.id)} needs a simulated user, and no model plays it`;
  return { code: 'no-user', message, hint: 'add `user: { model: provider/name }` to the config' };
}

function oneTurn(testCase: TestCase, target: string): Words {
  return {
    code: 'one-turn-only',
    message: `the target ${JSON.stringify(target)} takes one message a conversation, and ${JSON.stringify(testCase.id)} may have more`,
    hint: 'set max_turns to 1, or choose another target',
  };
}

function placeOf({ source }: TestCase): Pick<Problem, 'file' | 'line'> {
  const { file = 'the plan', line } = source ?? {};
  return line === undefined ? { file } : { file, line };
}
