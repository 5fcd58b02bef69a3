import type { Ledger } from '../core/price.ts';
import type { MeasurementError } from '../core/errors.ts';
import type { SharedLimits } from '../core/shared-limits.ts';
import type { ModelAnswer, ModelDoor, ModelRequest } from '../core/model.ts';
import { seededRandom } from '../lib/random.ts';
import { answerOf } from './answer.ts';
import { callError, notAsked } from './call-error.ts';
import { pause, systemClock, type Clock } from '../lib/time/clock.ts';
import type { Generated } from './collect-stream.ts';
import { failureOf, isUnreached, mayHaveCost, type Failure } from './failure.ts';
import type { Outcome } from './line.ts';
import { openPriceTable } from './price-table.ts';
import { purseOf, type Held } from './purse.ts';
import { RETRY_POLICY, waitBeforeRetry, type RetryPolicy } from './retry.ts';
import type { ProviderConfig } from './provider-config.ts';
import { openRoutes, pricedOf, type Route } from './routes.ts';
import { sendRequest } from './send-request.ts';
import { normalUsage } from './usage.ts';
import { waitCounter, type WaitCounter } from './wait-counter.ts';

export interface DoorOptions {
  /** `models` of the config, by provider. */
  readonly providers: Readonly<Record<string, ProviderConfig>>;
  /** Environment variables with the API keys. */
  readonly environment: Readonly<Record<string, string>>;
  /** Absolute folder of the project, where packages of providers may be installed. */
  readonly directory: string;
  /** Random numbers for the jitter of waits. */
  readonly seed: number;
  readonly clock?: Clock;
  readonly retry?: Partial<RetryPolicy>;
  /** Limits the cost of all requests together. */
  readonly ledger?: Ledger | undefined;
  /** Called once for an address that none of the first requests has reached. */
  readonly onGone?: ((error: MeasurementError) => void) | undefined;
  /** The limits of keys that other processes use too. */
  readonly limits?: SharedLimits | undefined;
}

/** The client for live models. It has one queue per key of a provider, and all retries happen here. */
export function openDoor(options: DoorOptions): ModelDoor {
  const clock = options.clock ?? systemClock;
  const retry = { policy: { ...RETRY_POLICY, ...options.retry }, random: seededRandom(options.seed) };
  const routes = openRoutes({ ...options, clock });
  const prices = openPriceTable();
  return {
    async ask(request, signal): Promise<ModelAnswer> {
      signal.throwIfAborted();
      const route = await routes.to(request);
      const gone = route.reach.gone();
      if (gone !== undefined) throw notAsked(gone, request);
      const waits = waitCounter(clock, request.waiting);
      const asking = { route, request, waits, clock, longestHoldMs: retry.policy.longestWaitMs };
      const setAside = purseOf(asking, prices, options.ledger);
      let isCostUnsure = false;
      for (let tries = 1; ; tries++) {
        const sent = await sendPaid(asking, await setAside?.(signal), signal);
        if (!('failure' in sent)) {
          route.reach.ended(undefined);
          const { durationMs, reserved } = sent;
          const answer = await answerOf(sent.generated, asking, prices).catch((error: unknown) => {
            reserved?.settle(null);
            throw error;
          });
          reserved?.settle(answer.costUsd, answer.usage);
          const costUsd = isCostUnsure ? null : answer.costUsd;
          return { ...answer, costUsd, durationMs, waitedMs: waits.totalMs(), requests: tries };
        }
        const { failure, cause } = sent;
        isCostUnsure ||= mayHaveCost(failure);
        const waitMs = waitBeforeRetry(failure, tries, retry);
        const error = callError(failure, request, { tries, keyName: route.keyName, cause, isCostUnsure });
        if (waitMs === undefined || failure.kind !== 'target-unavailable') {
          route.reach.ended(isUnreached(failure) ? error : undefined);
        }
        if (waitMs === undefined) throw error;
        await waits.during(() => pause(waitMs, signal, clock), error);
      }
    },
    priceOf: async (choice) => {
      const priced = pricedOf(choice, options.providers);
      return priced === undefined ? null : await prices.price(priced);
    },
  };
}

interface Asking {
  readonly route: Route;
  readonly request: ModelRequest;
  readonly waits: WaitCounter;
  readonly clock: Clock;
  readonly longestHoldMs: number;
}

type Sent =
  | { readonly generated: Generated; readonly durationMs: number }
  | { readonly failure: Failure; readonly cause: unknown };

/** Sends one request with reserved money; a request that certainly cost nothing releases it. */
async function sendPaid(
  asking: Asking,
  reserved: Held | undefined,
  signal: AbortSignal,
): Promise<Sent & { readonly reserved?: Held | undefined }> {
  try {
    const sent = await sendOnce(asking, signal);
    if (!('failure' in sent)) return { ...sent, reserved };
    reserved?.settle(mayHaveCost(sent.failure) ? null : 0);
    return sent;
  } catch (error) {
    reserved?.settle(null);
    throw error;
  }
}

/**
 * Waits in the queue, sends one request and reports the result to the queue. Rejects only when the signal is aborted.
 */
async function sendOnce(asking: Asking, signal: AbortSignal): Promise<Sent> {
  const { route, request, waits, clock } = asking;
  const tokens = route.line.countsTokens ? estimatedTokens(request) : 0;
  const ticket =
    route.line.enterAtOnce(tokens) ?? (await waits.during(() => route.line.enter(tokens, signal)));
  const startedAt = clock.now();
  try {
    const generated = await sendRequest(route, request, signal);
    ticket.leave({ isThrottled: false, tokens: normalUsage(generated.usage)?.totalTokens });
    return { generated, durationMs: Math.round(clock.now() - startedAt) };
  } catch (cause) {
    const failure = failureOf(cause);
    ticket.leave(signal.aborted ? { isThrottled: false } : outcomeOf(failure, asking.longestHoldMs));
    signal.throwIfAborted();
    return { failure, cause };
  }
}

function outcomeOf({ isThrottled, hasBegun, retryAfterMs = 0 }: Failure, longestHoldMs: number): Outcome {
  return {
    isThrottled,
    ...(hasBegun ? {} : { tokens: 0 }),
    ...(isThrottled ? { holdMs: Math.min(retryAfterMs, longestHoldMs) } : {}),
  };
}

/** About four characters per token; the maximum output counts in full. */
function estimatedTokens({ messages, embed, tools, maxOutputTokens }: ModelRequest): number {
  const characters =
    JSON.stringify(embed ?? messages).length + (tools === undefined ? 0 : JSON.stringify(tools).length);
  return Math.ceil(characters / 4) + (maxOutputTokens ?? 0);
}
