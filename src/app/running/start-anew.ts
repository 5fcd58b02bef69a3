import type { HandedTrials, LostTrial } from '../../core/handed-trials.ts';
import { interruptedRow, interruption, MOST_LOSSES } from '../../engine/interrupted-trial.ts';
import { settleTrial } from '../../engine/trial-row.ts';
import type { HandsWork } from './hands.ts';
import { offeredTrial } from './offered-trial.ts';
import type { TrialsOut } from './trials-out.ts';

export interface Recovering extends Pick<HandsWork, 'stream' | 'context' | 'now' | 'groundOf'> {
  readonly handed: HandedTrials;
  readonly out: TrialsOut;
  /** Whether the run is cancelled or abandoned. */
  readonly isEnding: boolean;
}

/** Ends the attempt of a lost trial as interrupted, and offers the trial again, unless that was done too often. */
export async function startAnew(lost: LostTrial, recovering: Recovering): Promise<void> {
  const { handed, stream, context, now, out, isEnding, groundOf } = recovering;
  // First all that its worker wrote.
  await stream.catchUp();
  const found = out.find(lost.number);
  if (found === undefined) return;
  const { trial, startedAt } = found;
  const at = now();
  const error = interruption(lost.owner);
  const durationMs = startedAt === undefined ? 0 : Math.max(0, at - startedAt);
  await stream.settle({
    at: new Date(at).toISOString(),
    trial: trial.key,
    attempt: found.attempts.length + 1,
    fact: { type: 'attempt-end', durationMs, error },
  });
  const attempts = out.find(lost.number)?.attempts ?? [];
  if (!isEnding && lost.losses < MOST_LOSSES) {
    await handed.offer([offeredTrial({ ...trial, earlier: attempts }, groundOf(trial))], 'again');
    return;
  }
  if (isEnding) {
    await handed.withdraw(lost.number);
    out.leave([lost.number]);
    return;
  }
  // Before the end of the trial, which may be that of the run.
  await handed.bury({ trial: trial.key, reason: error.message });
  const row = interruptedRow(trial, context, attempts);
  await settleTrial(row, { key: trial.key, attempt: attempts.length }, stream);
  await handed.withdraw(lost.number);
}
