import type { AddressGuard } from '../lib/http/address-guard.ts';
import type { JsonObject, JsonValue } from '../lib/json.ts';
import type { MeasurementError } from './errors.ts';
import type { Price } from './price.ts';
import type { ToolSpec } from './tools.ts';
import type { Spender, Usage } from './usage.ts';

/** The one way to a language model, for targets, users and judges alike: retry, limits, prices and cassettes sit behind it. */
export interface ModelDoor {
  /**
   * One response of a model. Rejects with a MeasurementError whose stage is that of the role (target, user, grading),
   * or with the signal's reason.
   */
  ask(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
  /** What a model costs; null where nobody knows. */
  priceOf(choice: ModelChoice): Promise<Price | null>;
}

/** A model as people name it, with what is set for this use of it only. */
export interface ModelChoice {
  /** `provider/name`; the provider ends at the first slash. */
  readonly model: string;
  /** Over `models.<provider>.baseUrl` of the config. */
  readonly baseUrl?: string;
  /** Name of the variable that holds the key, over `models.<provider>.apiKeyEnv`. */
  readonly apiKeyEnv?: string;
  /** Over `models.<provider>.price` and the table. */
  readonly price?: Price;
}

export interface ModelRequest extends ModelChoice {
  readonly role: Spender;
  /** What it may connect to; absent: anything. */
  readonly addresses?: AddressGuard;
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ToolSpec[];
  /** JSON Schema of a structured answer, enforced by the provider where it can. */
  readonly schema?: JsonObject;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** Of one request, milliseconds, without waiting; absent: only the signal ends it. */
  readonly timeoutMs?: number;
  /** Part of the key of a cassette: repetition of the trial, from 1; default 1. */
  readonly repetition?: number;
  /** Part of the key of a cassette: which of several equal requests in one repetition, from 1; default 1. */
  readonly sample?: number;
  /** Whether an answer that was kept will do; absent: any does. */
  readonly isUsable?: (answer: ModelAnswer) => boolean;
  /** Called at each piece of a streamed answer; absent: the answer is not streamed. */
  readonly pulse?: () => void;
  /**
   * Called when waiting in line or before a retry begins, then with what the request would have ended with; what it
   * gives back, when that wait is over.
   */
  readonly waiting?: (because?: MeasurementError) => () => void;
}

export type ModelMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly parts: readonly ModelPart[] }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls?: readonly ModelToolCall[];
      /** As `ModelAnswer.echo` gave it, so that reasoning and signatures go back unchanged. */
      readonly echo?: JsonValue;
    }
  | { readonly role: 'tool'; readonly results: readonly ModelToolResult[] };

/** Text, or an image as base64. */
export type ModelPart =
  | { readonly text: string }
  | { readonly image: { readonly mediaType: string; readonly base64: string } };

export interface ModelToolCall {
  readonly callId: string;
  readonly name: string;
  /** The raw text where it was no JSON. */
  readonly input: JsonValue;
}

export interface ModelToolResult {
  readonly callId: string;
  readonly name: string;
  readonly output: JsonValue;
  readonly failed?: boolean;
}

export interface ModelAnswer {
  readonly text: string;
  /** Where the structured answer stands, if that is only a part of the text; nobody checked it. */
  readonly objectText?: string;
  readonly toolCalls: readonly ModelToolCall[];
  /** What the model thought, where it tells. */
  readonly reasoning?: string;
  /** Opaque; belongs into the assistant's message of the next request. */
  readonly echo?: JsonValue;
  readonly finishReason: ModelFinish;
  /** In the provider's own word. */
  readonly rawFinishReason?: string;
  /** `provider/name` of the model that answered, as the provider says. */
  readonly model: string;
  /** Absent: the provider did not say. */
  readonly usage?: Usage;
  /** USD; null: unknown. */
  readonly costUsd: number | null;
  /** Of the request that answered, milliseconds. */
  readonly durationMs: number;
  /** In line and before retries, milliseconds. */
  readonly waitedMs: number;
  /** Requests that were sent, the failed ones too; 0 from a cassette. */
  readonly requests: number;
  /** What the provider could not do as asked, such as a temperature it ignores. */
  readonly notes?: readonly string[];
}

export type ModelFinish = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';
