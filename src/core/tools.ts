import type { JsonObject, JsonValue } from '../lib/json.ts';

/** A tool that the world can answer. */
export interface ToolSpec {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema. */
  readonly parameters?: JsonObject;
  readonly terminating?: boolean;
}

/** How an attempt left what its tools work on. */
export interface WorldOutcome {
  readonly state: JsonValue;
  /** sha-256 of the RFC 8785 JSON of the state. */
  readonly digest: string;
  readonly difference: readonly StateChange[];
}

/** Where the state is not what it was at the start; `before`, `after`: absent where there was or is nothing. */
export interface StateChange {
  readonly path: readonly (string | number)[];
  readonly before?: JsonValue;
  readonly after?: JsonValue;
}

/** Entries about tools, where what is said last of a tool takes the place of all that was said of it before. */
export function ofEachTool<Entry>(
  before: readonly Entry[],
  own: readonly Entry[],
  toolOf: (entry: Entry) => string,
): readonly Entry[] {
  const named = new Set(own.map(toolOf));
  return [...before.filter((entry) => !named.has(toolOf(entry))), ...own];
}
