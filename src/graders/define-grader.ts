import type { JsonObject, JsonValue } from '../lib/json.ts';

/** The JSON document that a code grader reads on stdin. Data of the user is unchanged. */
export interface GraderInput {
  readonly test_id: string;
  readonly target: string;
  /** Text of the last message of the user. */
  readonly question: string;
  readonly criteria: string | null;
  readonly input: readonly GraderMessage[];
  readonly expected_output: readonly GraderMessage[];
  /** Content of the last message in `expected_output`. */
  readonly reference: JsonValue;
  /** Text of the last answer, structured content as compact JSON. */
  readonly answer: string;
  /** Messages of the agent, with its tool calls. */
  readonly output: readonly GraderMessage[];
  /** All events of the session, in order. */
  readonly transcript: readonly JsonObject[];
  readonly trace: GraderTrace;
  readonly metadata: JsonObject | null;
  readonly sidecar: JsonObject | null;
  readonly workspace_path: string | null;
  /** Changes of the agent in its workspace; null without a workspace. */
  readonly changes: GraderChanges | null;
  /** `config` of the evaluator. */
  readonly config: JsonObject | null;
}

/** A message as YAML writes it. */
export interface GraderMessage {
  readonly role: string;
  /** A text, a JSON value, or a list of `{ type: text | json | file | image, value }`. */
  readonly content: JsonValue;
  readonly name?: string;
  readonly tool_calls?: readonly GraderToolCall[];
}

export interface GraderToolCall {
  readonly tool: string;
  readonly input?: JsonValue;
  readonly output?: JsonValue;
  readonly id?: string;
  readonly duration_ms?: number;
}

/** Measured values of the session. */
export interface GraderTrace {
  readonly tool_calls: number;
  /** Without duplicates, in the order of first use. */
  readonly tool_names: readonly string[];
  readonly tool_calls_by_name: Readonly<Record<string, number>>;
  readonly steps: number;
  readonly turns: number;
  readonly duration_ms: number;
  readonly usage: JsonObject | null;
  /** Cost in USD; null when unknown. */
  readonly cost_usd: number | null;
}

export interface GraderChanges {
  /** One unified diff of all files. */
  readonly diff: string;
  readonly files: readonly {
    readonly path: string;
    readonly change: 'created' | 'edited' | 'deleted';
    /** Why the file could not be read. */
    readonly omitted?: 'too-large' | 'unreadable';
  }[];
}

/** The answer of a code grader. */
export interface GraderResult {
  /** 0 to 1; other values are an error of the grader. */
  readonly score: number;
  /** Overrides score >= threshold. */
  readonly passed?: boolean;
  readonly reason?: string;
  readonly hits?: readonly string[];
  readonly misses?: readonly string[];
  readonly evidence?: readonly { readonly text: string; readonly passed: boolean; readonly turn?: number }[];
  readonly details?: JsonValue;
}

/** Gives types to a code grader, which is the default export of the module in `script`. */
export function defineGrader(
  grader: (input: GraderInput) => GraderResult | Promise<GraderResult>,
): (input: GraderInput) => GraderResult | Promise<GraderResult> {
  return grader;
}
