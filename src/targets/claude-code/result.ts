import type { Yielded } from '../../core/target.ts';
import { usageOf, type Usage } from '../../core/usage.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { AgentFailure, ParserContext, Reading } from '../coding-agent/adapter.ts';
import { countedUsage, type UsageNames } from '../coding-agent/counted-usage.ts';
import { failedTurn, loginFailure } from '../coding-agent/said-failure.ts';
import { asObject, countAt, listAt, objectAt, textAt } from '../coding-agent/fields.ts';

/** Parses the terminal event. Its subtype is `success` even for errors of the provider; `is_error` decides. */
export function readResult(event: JsonObject, context: ParserContext): Reading {
  const isOk = event['is_error'] === false && event['subtype'] === 'success';
  return {
    entries: usageEntries(event, context),
    terminal: isOk
      ? { ok: true, ...given({ text: textAt(event, 'result') }) }
      : { ok: false, failure: failureOf(event) },
  };
}

function failureOf(event: JsonObject): AgentFailure {
  const message =
    textAt(event, 'result') ?? (listOf(event) || `ended with ${textAt(event, 'subtype') ?? 'an error'}`);
  const status = countAt(event, 'api_error_status');
  const isModel = status === 404 && Object.keys(objectAt(event, 'modelUsage')).length === 0;
  if (isModel) return { kind: 'model-rejected', status, message };
  if (status === 401 || status === 403) return { ...loginFailure(message), status };
  if (status !== undefined) return { kind: 'http-error', status, message };
  if (NOT_LOGGED_IN.test(message)) return loginFailure(message);
  const isNetwork = textAt(event, 'api_error') === 'connection_failed';
  return { kind: isNetwork ? 'target-unavailable' : 'runner-crash', message };
}

function listOf(event: JsonObject): string {
  return listAt(event, 'errors')
    .filter((item) => typeof item === 'string')
    .join('; ');
}

/** Uses only the sums of the result, because message lines show the state at the start of a message. */
function usageEntries(event: JsonObject, { earlier }: ParserContext): readonly Yielded[] {
  const usage = objectAt(event, 'usage');
  const tokens = countedUsage({ ...objectAt(usage, 'output_tokens_details'), ...usage }, USAGE);
  if (tokens === undefined) return [];
  const cost = costOf(event);
  const costUsd = cost === undefined ? undefined : Math.max(0, cost - (earlier.costUsd ?? 0));
  const main: Yielded = { type: 'usage', ...tokens, ...given({ costUsd }) };
  const aside = auxiliaryTokens(event, tokens, earlier);
  // Their cost is already in the sum.
  return aside === undefined
    ? [main]
    : [main, { type: 'usage', ...aside, auxiliary: true, ...(costUsd === undefined ? {} : { costUsd: 0 }) }];
}

const USAGE: UsageNames = {
  input: 'input_tokens',
  output: 'output_tokens',
  read: 'cache_read_input_tokens',
  written: 'cache_creation_input_tokens',
  reasoning: 'thinking_tokens',
  inputLacksCached: true,
};

/** Usage of models outside the main loop, such as for a title. */
function auxiliaryTokens(
  event: JsonObject,
  main: Usage,
  earlier: ParserContext['earlier'],
): Usage | undefined {
  // The sums of a resumed session include all its turns.
  const isFirst = earlier.usage === undefined;
  const models = {
    ...(isFirst ? objectAt(event, 'modelUsage') : {}),
    ...objectAt(event, 'model_usage_since_last_result'),
  };
  let [input, output] = [-main.inputTokens, -main.outputTokens];
  for (const model of Object.values(models).map(asObject)) {
    for (const key of ['inputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens']) {
      input += countAt(model, key) ?? 0;
    }
    output += countAt(model, 'outputTokens') ?? 0;
  }
  return input > 0 || output > 0 ? usageOf(Math.max(0, input), Math.max(0, output)) : undefined;
}

/** Cost of the whole session. A price that the program invents for an unknown model does not count. */
function costOf(event: JsonObject): number | undefined {
  const models = Object.values(objectAt(event, 'modelUsage')).map(asObject);
  return models.some((model) => textAt(model, 'costBasis') === 'unknown')
    ? undefined
    : countAt(event, 'total_cost_usd');
}

/** Printed on stderr, or as the result, when there is no key. */
const NOT_LOGGED_IN = /^[^\S\n]*(Not logged in|Invalid API key)/m;

/** Reads the failure from stderr of a program that ended without a result. */
export function notLoggedIn(stderr: string): Reading {
  return failedTurn(NOT_LOGGED_IN.test(stderr) ? loginFailure(stderr.trim()) : undefined);
}
