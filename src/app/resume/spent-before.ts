import { costOf } from '../../core/price.ts';
import type { RunEvent, RunMoney } from '../../core/run.ts';
import type { Manifest } from '../../core/manifest.ts';
import { tokensOf } from '../../core/transcript.ts';
import { parseTrialKey } from '../../core/trial.ts';
import type { TrialSettings } from '../../engine/parts.ts';
import { round9 } from '../../lib/text/decimals.ts';
import { plural } from '../../lib/text/plural.ts';

/** Adds up what earlier processes of a run spent, where none of them lived to say it. */
export interface SpentBefore {
  add(event: RunEvent): void;
  usd(): number;
  /** What of it nobody knows and how it counts, as lines for people; empty when all is known. */
  uncounted(): string;
}

export interface SpentSource {
  readonly manifest: Pick<Manifest, 'spent'>;
  /** How a session of a target is counted; absent: it costs nothing. */
  readonly settingsOf: (target: string) => Pick<TrialSettings, 'price' | 'ceilingUsd'> | undefined;
}

/**
 * What a closed run says it spent holds; of events after that the last that tells the money of the run, with what was
 * set aside then (what an agent tells beyond that is set aside before it is in the log), or else what they tell of single
 * calls, and ceilings of what they do not.
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
      // An attempt that never got to its first message was still waiting for its money.
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
  return `When it was killed, $${reservedUsd} were set aside for what was under way; as nobody knows what of it was spent, all of it counts.\n`;
}

function uncountedText(unended: number, untold: number): string {
  const killed =
    unended === 0
      ? ''
      : `What ${plural(unended, 'attempt')} that ${unended === 1 ? 'was' : 'were'} killed had asked for counts only as far as it was told.\n`;
  return `${killed}${untold === 0 ? '' : `What ${plural(untold, 'call')} cost is unknown and not counted.\n`}`;
}
