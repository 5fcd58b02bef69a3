import { digestOf } from '../../lib/digest.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';

/** The settings of a target as a run shows them. Contents of `files` are replaced by digests. */
export function shownConfig(config: JsonObject): JsonObject {
  const { files } = config;
  if (!isObject(files)) return config;
  const digested = Object.entries(files).map(([path, text]) => [path, digestOf(text)] as const);
  return { ...config, files: Object.fromEntries(digested) };
}
