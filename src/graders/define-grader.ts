import type { JsonObject, JsonValue } from '../lib/json.ts';

/** What a code grader reads on stdin, as one JSON document. Whatever a person wrote stands in it verbatim. */
export interface GraderInput {
  readonly test_id: string;
  readonly target: string;
  /** Text of the last message of the user. */
  readonly question: string;
  readonly criteria: string | null;
  readonly input: readonly GraderMessage[];
  readonly expected_output: readonly GraderMessage[];
  /** Content of the last of `expected_output`. */
  readonly reference: JsonValue;
  /** Text of the last answer, structured content as compact JSON. */
  readonly answer: string;
  /** What the agent said, with the tools it called. */
  readonly output: readonly GraderMessage[];
  /** Everything that happened, in order. */
  readonly transcript: readonly JsonObject[];
  readonly trace: GraderTrace;
  readonly metadata: JsonObject | null;
  readonly sidecar: JsonObject | null;
  readonly workspace_path: string | null;
  /** What the agent did to its workspace; null without one. */
  readonly changes: GraderChanges | null;
  /** `config` of the evaluator. */
  readonly config: JsonObject | null;
}

/** A message as YAML spells it. */
export interface GraderMessage {
  readonly role: string;
  /** Text, a JSON value, or a list of `{ type: text | json | file | image, value }`. */
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

/** Numbers of the session. */
export interface GraderTrace {
  readonly tool_calls: number;
  /** Each once, in the order of first use. */
  readonly tool_names: readonly string[];
  readonly tool_calls_by_name: Readonly<Record<string, number>>;
  readonly steps: number;
  readonly turns: number;
  readonly duration_ms: number;
  readonly usage: JsonObject | null;
  /** USD; null: unknown. */
  readonly cost_usd: number | null;
}

export interface GraderChanges {
  /** One unified diff of all files. */
  readonly diff: string;
  readonly files: readonly {
    readonly path: string;
    readonly change: 'created' | 'edited' | 'deleted';
    /** Why nothing was read of it. */
    readonly omitted?: 'too-large' | 'unreadable';
  }[];
}

/** What a code grader answers. */
export interface GraderResult {
  /** 0..1; anything else is an error of the grader. */
  readonly score: number;
  /** Overrides score >= threshold. */
  readonly passed?: boolean;
  readonly reason?: string;
  readonly hits?: readonly string[];
  readonly misses?: readonly string[];
  readonly evidence?: readonly { readonly text: string; readonly passed: boolean; readonly turn?: number }[];
  readonly details?: JsonValue;
}

/** Types a code grader that is the default export of the module named in `script`. */
export function defineGrader(
  grader: (input: GraderInput) => GraderResult | Promise<GraderResult>,
): (input: GraderInput) => GraderResult | Promise<GraderResult> {
  return grader;
}
