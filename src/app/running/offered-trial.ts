import type { Ground, OfferedTrial } from '../../core/handed-trials.ts';
import type { PlannedTrial } from '../../engine/trial-context.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';

/** A planned trial for a worker. It is plain data, so that any process with the same plan can run it. */
export function offeredTrial(trial: PlannedTrial, ground: Ground | undefined): OfferedTrial {
  const { number, key } = trial;
  return { number, key, document: trial as unknown as JsonObject, ...given({ ground }) };
}

export function plannedTrial({ document }: Pick<OfferedTrial, 'document'>): PlannedTrial {
  return document as unknown as PlannedTrial;
}
