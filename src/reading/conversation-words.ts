import type { Row } from '../core/run.ts';
import type { Cost } from '../core/usage.ts';
import type { Tally } from './tally.ts';
import { plural } from '../lib/text/plural.ts';
import { costText, SPENDER_WORDS } from './phrases.ts';

/** The cost of each role, never added up. Undefined if only the agent has a cost. */
export function spendingText({ usage, costUsd }: Tally): string | undefined {
  const { user, judge } = costUsd;
  if (user.known + user.unknown + judge.known + judge.unknown === 0) return undefined;
  const parts = SPENDER_WORDS.flatMap(([spender, word]) => {
    const cost = costUsd[spender];
    const tokens = usage[spender]?.totalTokens;
    if (cost.known + cost.unknown === 0 && tokens === undefined) return [];
    return [`${word} ${tokensText(tokens)}, ${spentText(cost)}`];
  });
  return `spent: ${parts.join('; ')}`;
}

function spentText(cost: Cost): string {
  if (cost.known > 0) return costText(cost);
  return cost.unknown === 0 ? 'no cost' : 'cost unknown';
}

/** How many conversations are doubtful because of the simulated user; undefined for 0. */
export function doubtText({ simulated: { trials, flagged } }: Tally): string | undefined {
  if (flagged === 0) return undefined;
  return `in ${flagged} of ${plural(trials, 'trial')}, the simulated user may have broken its rules: check its messages before you trust the verdicts`;
}

/** How a conversation ended: `ended by the user (satisfied)`. Undefined if it did not end. */
export function endText({ end, limit }: Pick<Row, 'end' | 'limit'>): string | undefined {
  if (limit !== undefined)
    return `stopped at a limit (${limit.kind} ${limit.ceiling}, reached ${limit.reached})`;
  if (end === undefined) return undefined;
  const reason = end.reason === undefined ? '' : ` (${end.reason})`;
  return `${ENDS[end.by]}${reason}`;
}

/** The limits that could not be enforced; undefined when all were. */
export function unenforcedText({ unenforced = [] }: Pick<Row, 'unenforced'>): string | undefined {
  return unenforced.length === 0 ? undefined : `limits that could not be enforced: ${unenforced.join(', ')}`;
}

const ENDS = {
  agent: 'ended by the agent',
  user: 'ended by the user',
  script: 'ended with the script',
  cap: 'ended at the limit for turns',
} as const;

/** The cost of each role in one trial. Undefined if only the agent has a cost. */
export function rowSpendingText({ usage, costUsd }: Row): string | undefined {
  if (costUsd.user === undefined && costUsd.judge === undefined) return undefined;
  const parts = SPENDER_WORDS.flatMap(([spender, word]) => {
    const usd = costUsd[spender];
    const tokens = usage[spender]?.totalTokens;
    if (usd === undefined && tokens === undefined) return [];
    const isKnown = usd !== undefined && usd !== null;
    const cost = isKnown ? costText({ knownUsd: usd, known: 1, unknown: 0 }) : 'cost unknown';
    return [`${word.replace('simulated users', 'simulated user')} ${tokensText(tokens)}, ${cost}`];
  });
  return `spent: ${parts.join('; ')}`;
}

function tokensText(tokens: number | undefined): string {
  return tokens === undefined ? 'tokens unknown' : plural(tokens, 'token');
}
