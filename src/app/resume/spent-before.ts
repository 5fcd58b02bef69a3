import { costOf } from '../../core/price.ts';
import type { RunEvent, RunMoney } from '../../core/run.ts';
import type { Manifest } from '../../core/manifest.ts';
import { tokensOf } from '../../core/transcript.ts';
import { parseTrialKey } from '../../core/trial.ts';
import type { TrialSettings } from '../../engine/trial-context.ts';
import { round9 } from '../../lib/text/decimals.ts';
import { plural } from '../../lib/text/plural.ts';

/** Adds up the cost of earlier processes of a run that were killed before they could report it. */
export interface SpentBefore {
  add(event: RunEvent): void;
  usd(): number;
  /** Lines about unknown costs and how they count. Empty if all costs are known. */
  uncounted(): string;
}

export interface SpentSource {
  readonly manifest: Pick<Manifest, 'spent'>;
  /** Settings for counting the cost of a target's session. Undefined: it is free. */
  readonly settingsOf: (target: string) => Pick<TrialSettings, 'price' | 'ceilingUsd'> | undefined;
}

/**
 * The reported cost of a closed run counts. For later events, the last one with the cost of the run counts, including
 * reservations (an agent's cost is reserved before it is in the log). Without such an event, the costs of single
 * calls count, and the upper bound of those that are unknown.
 */
export function spentBefore({ manifest, settingsOf }: SpentSource): SpentBefore {
  const { usd = 0, upTo = manifest.spent === undefined ? 0 : Infinity } = manifest.spent ?? {};
  const open = new Map<string, { readonly ceilingUsd: number; told: number; isUnknown: boolean }>();
  const unended = new Set<string>();
  let untold = 0;
  let sum = usd;
  let money: RunMoney | undefined;
  const close = (attempt: string): void => {
    const session = open.get(attempt);
    if (session === undefined) return;
    open.delete(attempt);
    sum += session.isUnknown ? Math.max(session.told, session.ceilingUsd) : session.told;
  };
  return {
    add({ sequence, trial = '', attempt, fact }) {
      if (sequence <= upTo) return;
      if (fact.type === 'run-state') money = fact.money ?? money;
      const key = `${trial}\n${attempt}`;
      if (fact.type === 'attempt-start') unended.add(key);
      if (fact.type === 'attempt-end') unended.delete(key);
      if (fact.type === 'model-usage') sum += fact.costUsd ?? 0;
      if (fact.type === 'model-usage' && fact.costUsd === null) untold += 1;
      const target = parseTrialKey(trial)?.target;
      const settings = target === undefined ? undefined : settingsOf(target);
      if (settings === undefined) return;
      // An attempt without a first message was still waiting for its budget.
      if (fact.type === 'transcript-entry' && !open.has(key)) {
        open.set(key, { ceilingUsd: settings.ceilingUsd ?? 0, told: 0, isUnknown: true });
      }
      const session = open.get(key);
      if (session === undefined) return;
      if (fact.type === 'transcript-entry' && fact.entry.type === 'usage' && !('attachment' in fact.entry)) {
        const tokens = tokensOf(fact.entry);
        const { price } = settings;
        const priced = tokens === undefined || price === undefined ? undefined : costOf(tokens, price);
        session.told += fact.entry.costUsd ?? priced ?? 0;
      }
      if (fact.type !== 'attempt-end') return;
      session.isUnknown = session.told === 0 || fact.error !== undefined;
      close(key);
    },
    usd() {
      if (money !== undefined) return round9(money.spentUsd + money.reservedUsd);
      for (const key of open.keys()) close(key);
      return sum;
    },
    uncounted: () => (money === undefined ? uncountedText(unended.size, untold) : reservedText(money)),
  };
}

function reservedText({ reservedUsd }: RunMoney): string {
  if (reservedUsd === 0) return '';
  return `When the run was killed, $${reservedUsd} were reserved for running calls; the whole amount counts as spent, because the actual cost is unknown.\n`;
}

function uncountedText(unended: number, untold: number): string {
  const killed =
    unended === 0
      ? ''
      : `For ${plural(unended, 'killed attempt')}, only costs reported before the kill are counted.\n`;
  return `${killed}${untold === 0 ? '' : `The cost of ${plural(untold, 'call')} is unknown and not counted.\n`}`;
}
