import { basename } from 'node:path';

import type { Manifest } from '../../core/manifest.ts';
import { isObject } from '../../lib/json.ts';

type Origin = Pick<Manifest, 'id' | 'sourceRunId' | 'mergedFrom' | 'chosenFrom' | 'settings'>;

/** The run, and those whose trials it has: it graded them again, or was merged of them. */
export function trialsFrom({ id, sourceRunId, mergedFrom = [] }: Origin): readonly string[] {
  return [id, ...(sourceRunId === undefined ? [] : [sourceRunId]), ...mergedFrom];
}

/** The runs by whose outcomes the cases of a run were chosen; a run of an older version has it in its options alone. */
export function chosenFrom({ chosenFrom: told, settings }: Origin): readonly string[] {
  if (told !== undefined) return told;
  const failed = isObject(settings['options']) ? settings['options']['failed'] : undefined;
  return typeof failed === 'string' ? [basename(failed.split('#')[0] ?? failed)] : [];
}

/** What a run that is chosen by the outcomes of another one is chosen from. */
export function choiceOf(source: Origin): readonly string[] {
  return [...new Set([...trialsFrom(source), ...chosenFrom(source)])];
}
