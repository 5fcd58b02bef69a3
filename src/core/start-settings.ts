import { given } from '../lib/given.ts';
import type { JsonObject } from '../lib/json.ts';
import { renamed } from '../lib/renamed.ts';
import type { Manifest } from './manifest.ts';
import { LIMIT_NAMES, OPTION_NAMES } from './request-names.ts';

type Planned = Pick<Manifest, 'settings' | 'targets' | 'seed'>;

/** The request that starts a run with its defaults filled, in the words of the API; also of a run without a request. */
export function startSettings({ settings, targets, seed }: Planned, asked: JsonObject = {}): JsonObject {
  const { options = {}, limits, repeat, concurrency, maxErrored, threshold } = settings;
  // What is selected stands in the request alone.
  const { sample: _sample, limit: _limit, ...others } = options;
  const agents = targets.flatMap(({ agent }) => (agent === undefined ? [] : [{ ...agent }]));
  const named = targets.flatMap(({ agent, name }) => (agent === undefined ? [name] : []));
  const filled = given({
    agents: agents.length === 0 ? undefined : agents,
    targets: named.length === 0 ? undefined : named,
    user: settings.user,
    judge: settings.judge,
    limits: limits && renamed(limits, LIMIT_NAMES),
    difficulty_weights: settings.difficultyWeights && { ...settings.difficultyWeights },
    ...renamed({ ...others, repeat, concurrency, maxErrored, threshold, seed }, OPTION_NAMES),
  });
  return { ...asked, ...(filled as JsonObject) };
}
