import type { OfferedTrial } from '../../core/handed-trials.ts';
import type { PlannedTrial } from '../../engine/trial-context.ts';
import type { JsonObject } from '../../lib/json.ts';

/** A planned trial for a worker. It is plain data, so that any process with the same plan can run it. */
export function offeredTrial(trial: PlannedTrial): OfferedTrial {
  return { number: trial.number, key: trial.key, document: trial as unknown as JsonObject };
}

/** The planned trial of an offer. */
export function plannedTrial({ document }: Pick<OfferedTrial, 'document'>): PlannedTrial {
  return document as unknown as PlannedTrial;
}
