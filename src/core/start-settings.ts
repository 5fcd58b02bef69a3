import { given } from '../lib/given.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Limits } from './limits.ts';
import type { Manifest } from './manifest.ts';

type Planned = Pick<Manifest, 'settings' | 'targets' | 'seed'>;

/** The request that starts a run with its defaults filled, in the words of the API; also of a run without a request. */
export function startSettings({ settings, targets, seed }: Planned, asked: JsonObject = {}): JsonObject {
  const { options = {}, limits } = settings;
  const agents = targets.flatMap(({ agent }) => (agent === undefined ? [] : [{ ...agent }]));
  const named = targets.flatMap(({ agent, name }) => (agent === undefined ? [name] : []));
  const filled = given({
    agents: agents.length === 0 ? undefined : agents,
    targets: named.length === 0 ? undefined : named,
    repetitions: settings.repeat,
    user: settings.user,
    judge: settings.judge,
    limits: limits && limitsOf(limits),
    on_limit: options.onLimit,
    first_speaker: options.firstSpeaker,
    difficulty_weights: settings.difficultyWeights && { ...settings.difficultyWeights },
    concurrency: settings.concurrency,
    budget_usd: options.maxCostUsd,
    allow_unknown_cost: options.allowUnknownCost,
    max_errored: settings.maxErrored,
    threshold: settings.threshold,
    fail_fast: options.failFast,
    strict: options.strict,
    gates: options.gates && [...options.gates],
    seed,
  });
  return { ...asked, ...(filled as JsonObject) };
}

function limitsOf(limits: Partial<Limits>): JsonObject {
  return given({
    timeout_ms: limits.timeoutMs,
    turn_timeout_ms: limits.turnTimeoutMs,
    idle_timeout_ms: limits.idleTimeoutMs,
    max_turns: limits.maxTurns,
    max_steps: limits.maxSteps,
    max_tokens: limits.maxTokens,
    max_cost_usd: limits.maxCostUsd,
  }) as JsonObject;
}
