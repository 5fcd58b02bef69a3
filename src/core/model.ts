import type { AddressGuard } from '../lib/http/address-guard.ts';
import type { JsonObject, JsonValue } from '../lib/json.ts';
import type { MeasurementError } from './errors.ts';
import type { Price } from './price.ts';
import type { ToolSpec } from './tools.ts';
import type { Spender, Usage } from './usage.ts';

/**
 * The only way to call a language model, for targets, users and judges. Retries, limits, prices and cassettes are
 * behind it.
 */
export interface ModelDoor {
  /**
   * One response of a model. Rejects with a `MeasurementError` whose stage is that of the role (target, user, grading),
   * or with the reason of the signal.
   */
  ask(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
  /** The price of a model; null when it is unknown. */
  priceOf(choice: ModelChoice): Promise<Price | null>;
}

/** A model as people configure it, with the settings of this use. */
export interface ModelChoice {
  /** `provider/name`; the provider ends at the first slash. */
  readonly model: string;
  /** Overrides `models.<provider>.baseUrl` of the config. */
  readonly baseUrl?: string;
  /** Name of the variable with the key; overrides `models.<provider>.apiKeyEnv`. */
  readonly apiKeyEnv?: string;
  /** Overrides `models.<provider>.price` and the price table. */
  readonly price?: Price;
}

export interface ModelRequest extends ModelChoice {
  readonly role: Spender;
  /** What it may connect to; absent: anything. */
  readonly addresses?: AddressGuard;
  readonly messages: readonly ModelMessage[];
  /** Texts whose embeddings are asked for, instead of an answer to messages. */
  readonly embed?: readonly string[];
  readonly tools?: readonly ToolSpec[];
  /** JSON Schema of a structured answer; the provider enforces it if it can. */
  readonly schema?: JsonObject;
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** Time limit of one request in milliseconds, without waiting. Absent: only the signal ends it. */
  readonly timeoutMs?: number;
  /** Part of the cassette key: repetition of the trial, from 1; default 1. */
  readonly repetition?: number;
  /** Part of the cassette key: number among equal requests of one repetition, from 1; default 1. */
  readonly sample?: number;
  /** Whether a recorded answer is accepted; absent: all are. */
  readonly isUsable?: (answer: ModelAnswer) => boolean;
  /** Called for each piece of a streamed answer; absent: the answer is not streamed. */
  readonly pulse?: () => void;
  /**
   * Called when waiting for a place in the queue or before a retry begins. It gets the error that the request would
   * have ended with. Call the returned function when the wait is over.
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
      /** The `echo` of the answer, so that reasoning and signatures are sent back unchanged. */
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
  /** The raw text when it was not JSON. */
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
  /** Position of the structured answer when it is only a part of the text. The answer is unchecked. */
  readonly objectText?: string;
  readonly toolCalls: readonly ModelToolCall[];
  /** One vector per text of `embed`. */
  readonly embeddings?: readonly (readonly number[])[];
  /** The reasoning of the model, when it reports it. */
  readonly reasoning?: string;
  /** Opaque; must be sent back in the assistant's message of the next request. */
  readonly echo?: JsonValue;
  readonly finishReason: ModelFinish;
  /** The finish reason in the words of the provider. */
  readonly rawFinishReason?: string;
  /** `provider/name` of the model that answered, as the provider reports it. */
  readonly model: string;
  /** Absent when the provider did not report it. */
  readonly usage?: Usage;
  /** USD; null: unknown. */
  readonly costUsd: number | null;
  /** Duration of the successful request in milliseconds. */
  readonly durationMs: number;
  /** Milliseconds spent in the queue and before retries. */
  readonly waitedMs: number;
  /** Requests sent, including failed ones; 0 from a cassette. */
  readonly requests: number;
  /** What the provider ignored or changed, such as a temperature. */
  readonly notes?: readonly string[];
}

export type ModelFinish = 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other';
