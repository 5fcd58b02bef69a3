import type { JsonObject, JsonValue } from '../lib/json.ts';

/** A tool that the world can answer. */
export interface ToolSpec {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema. */
  readonly parameters?: JsonObject;
  readonly terminating?: boolean;
}

/** The final state of an attempt's tools. */
export interface WorldOutcome {
  readonly state: JsonValue;
  /** sha-256 of the RFC 8785 JSON of the state. */
  readonly digest: string;
  readonly difference: readonly StateChange[];
}

/** Differences from the initial state. `before` or `after` is absent for added or removed values. */
export interface StateChange {
  readonly path: readonly (string | number)[];
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** Notes about tools; a later note about a tool replaces the earlier ones. */
export function ofEachTool<Entry>(
  before: readonly Entry[],
  own: readonly Entry[],
  toolOf: (entry: Entry) => string,
): readonly Entry[] {
  const named = new Set(own.map(toolOf));
  return [...before.filter((entry) => !named.has(toolOf(entry))), ...own];
}
