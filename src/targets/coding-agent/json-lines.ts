import type { JsonObject } from '../../lib/json.ts';
import { foreignObject } from '../../lib/text/json-depth.ts';

/** All lines that are JSON mappings, in order; an incomplete last line is ignored. */
export function objectsIn(lines: string): readonly JsonObject[] {
  return lines
    .split('\n')
    .map(foreignObject)
    .filter((object) => object !== undefined);
}
