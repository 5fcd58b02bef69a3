import type { JsonObject } from '../../lib/json.ts';

/** Which types of expectations are worth a cache: the last ones of the others were all different. */
export function repeating() {
  const different = new Map<string, number>();
  return {
    mayBe: (type: string): boolean => (different.get(type) ?? 0) < MOST_DIFFERENT,
    tell: (type: string, isKnown: boolean): void =>
      void different.set(type, isKnown ? 0 : (different.get(type) ?? 0) + 1),
  };
}

const MOST_DIFFERENT = 1000;

/**
 * Whether a configuration has a part of the one before, such as the metrics of a run: then the rest is its own, and its
 * text would only take time.
 */
export function partsInCommon(): (type: string, config: JsonObject) => boolean {
  const before = new Map<string, JsonObject>();
  return (type, config) => {
    const last = before.get(type);
    before.set(type, config);
    if (last === undefined || last === config) return false;
    for (const key in config)
      if (typeof config[key] === 'object' && config[key] !== null && config[key] === last[key]) return true;
    return false;
  };
}
