import type { ModelAnswer, ModelFinish, ModelRequest, ModelToolCall } from '../core/model.ts';
import { given } from '../lib/given.ts';
import type { Generated } from './collect-stream.ts';
import { echoOf, jsonOrText } from './echo.ts';
import type { PriceTable } from './price-table.ts';
import type { Route } from './routes.ts';
import { normalUsage, statedCost } from './usage.ts';

/** An answer without the values that the model client measures. */
export type BareAnswer = Omit<ModelAnswer, 'durationMs' | 'waitedMs' | 'requests'>;

/** Converts the answer of a provider, and adds its cost. */
export async function answerOf(
  generated: Generated,
  { route, request }: { readonly route: Route; readonly request: ModelRequest },
  prices: PriceTable,
): Promise<BareAnswer> {
  const { content, finishReason, warnings } = generated;
  const text = joined(content.map((part) => (part.type === 'text' ? part.text : '')));
  const reasoning = joined(content.map((part) => (part.type === 'reasoning' ? part.text : '')));
  const usage = normalUsage(generated.usage);
  const echo = echoOf(content);
  const notes = (warnings ?? []).map(noteOf);
  const part = request.schema === undefined ? undefined : generated.structuredOutputText;
  return {
    text,
    ...given({ objectText: part }),
    toolCalls: content.flatMap(callOf),
    ...(reasoning === '' ? {} : { reasoning }),
    ...given({ echo, embeddings: generated.embeddings }),
    finishReason: finishOf(finishReason.unified),
    ...given({ rawFinishReason: finishReason.raw }),
    model: `${route.provider}/${generated.modelId ?? route.priced.name}`,
    ...given({ usage }),
    costUsd: await costOf(generated, route, prices),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

async function costOf(generated: Generated, { priced }: Route, prices: PriceTable): Promise<number | null> {
  const stated = priced.price === undefined ? statedCost(generated.usage) : undefined;
  if (stated !== undefined) return stated;
  const usage = normalUsage(generated.usage);
  return usage === undefined ? null : await prices.cost(priced, usage);
}

function callOf(part: Generated['content'][number]): readonly ModelToolCall[] {
  if (part.type !== 'tool-call' || part.providerExecuted === true) return [];
  return [{ callId: part.toolCallId, name: part.toolName, input: jsonOrText(part.input) }];
}

function finishOf(unified: Generated['finishReason']['unified']): ModelFinish {
  return unified === 'interrupted' ? 'error' : unified;
}

function noteOf(warning: Generated['warnings'][number]): string {
  if ('message' in warning) return warning.message;
  const details = 'details' in warning && warning.details !== undefined ? `: ${warning.details}` : '';
  return `the provider does not support ${warning.feature}${details}`;
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('');
}
