import type { GraderPlugin } from '../../core/plugin.ts';
import type { JsonObject } from '../../lib/json.ts';

/** The files of a grader whose content decides what passes, as written. */
export function filesThatDecide(config: JsonObject, plugin: GraderPlugin | undefined): readonly string[] {
  if (plugin?.files === undefined && plugin?.proofFiles === undefined) return NONE;
  return [...(plugin.files?.(config) ?? []), ...(plugin.proofFiles?.(config) ?? [])];
}

const NONE: readonly string[] = [];
