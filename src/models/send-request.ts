import type { EmbeddingModelV4, LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';

import type { ModelMessage, ModelRequest } from '../core/model.ts';
import { given } from '../lib/given.ts';
import type { JsonObject } from '../lib/json.ts';
import { punctualTimer } from '../lib/time/punctual-timer.ts';
import { collectEmbeddings } from './collect-embeddings.ts';
import { collectStream, type Generated } from './collect-stream.ts';
import { promptOf, toolsOf } from './prompt.ts';
import type { Route } from './routes.ts';
import { isStrictSchema } from './strict-schema.ts';

/** No user data is stored at the provider, and requests do not depend on stored data. */
function providerOptions(
  schema: JsonObject | undefined,
): LanguageModelV4CallOptions['providerOptions'] & object {
  const strictJsonSchema = schema !== undefined && isStrictSchema(schema);
  return { openai: { store: false, strictJsonSchema }, openaiCompatible: { strictJsonSchema } };
}

/** Sends one request. Rejects with the error of the provider's package. */
export async function sendRequest(
  route: Route,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Generated> {
  const { timeoutMs } = request;
  if (timeoutMs === undefined) return await generate(route, request, signal);
  const timeout = new AbortController();
  const timer = punctualTimer(timeoutMs, () => timeout.abort());
  try {
    return await generate(route, request, AbortSignal.any([signal, timeout.signal]));
  } catch (error) {
    if (!timeout.signal.aborted || signal.aborted) throw error;
    throw new RequestTimeout(timeoutMs);
  } finally {
    timer.stop();
  }
}

/** Thrown when a single request exceeds its time limit. */
export class RequestTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`the request timed out after ${timeoutMs} ms`);
    this.name = 'RequestTimeout';
  }
}

/** An endpoint that refuses a schema is asked once more, with the schema in the prompt. */
async function generate(route: Route, request: ModelRequest, signal: AbortSignal): Promise<Generated> {
  if (request.embed !== undefined)
    return await collectEmbeddings(route.model as EmbeddingModelV4, request.embed, signal);
  try {
    return await generateOnce(route, request, signal);
  } catch (error) {
    if (request.schema === undefined || route.learned.refusesSchema || !refusesSchema(error)) throw error;
    route.learned.refusesSchema = true;
    return await generateOnce(route, request, signal);
  }
}

async function generateOnce(route: Route, request: ModelRequest, signal: AbortSignal): Promise<Generated> {
  const options = optionsOf(route, request, signal);
  const model = route.model as LanguageModelV4;
  if (request.pulse !== undefined) {
    const { stream } = await model.doStream(options);
    return complete(await collectStream(stream, request.pulse));
  }
  const result = await model.doGenerate(options);
  return complete({ ...result, modelId: result.response?.modelId });
}

function complete(generated: Generated): Generated {
  if (generated.finishReason.unified !== 'interrupted') return generated;
  throw new Error('the stream ended before the answer was complete');
}

function refusesSchema(error: unknown): boolean {
  const { statusCode, responseBody } = error as { statusCode?: unknown; responseBody?: unknown };
  return (
    (statusCode === 400 || statusCode === 422) &&
    /response_format|json_schema|structured output|guided/i.test(String(responseBody))
  );
}

function optionsOf(route: Route, request: ModelRequest, signal: AbortSignal): LanguageModelV4CallOptions {
  const { temperature, maxOutputTokens, schema, messages } = request;
  const isInPrompt = schema !== undefined && route.learned.refusesSchema;
  return {
    prompt: promptOf(
      isInPrompt ? [schemaMessage(schema), ...messages] : messages,
      route.facts.takesLateSystem,
    ),
    ...toolsOf(request),
    ...given({ temperature, maxOutputTokens }),
    ...(schema === undefined || isInPrompt
      ? {}
      : { responseFormat: { type: 'json', schema: schema as never, name: 'answer' } }),
    providerOptions: providerOptions(schema),
    abortSignal: signal,
  };
}

function schemaMessage(schema: JsonObject): ModelMessage {
  const text = `Answer with exactly one JSON object that is valid against this JSON Schema, and with nothing else:\n${JSON.stringify(schema)}`;
  return { role: 'system', text };
}
