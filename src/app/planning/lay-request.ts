import type { Config } from '../../authoring/config/published-spellings.ts';
import type { RunRequest } from '../../authoring/config/run-request.ts';
import { mergeLimits } from '../../core/limits.ts';
import type { RequestedSettings } from '../../core/run-options.ts';
import { given } from '../../lib/given.ts';
import type { Project } from '../binding/machine.ts';

type Settled = Pick<Project, 'loaded' | 'run'>;

/**
 * The settings of a project, overridden by a request. `judge` and `user` are merged by key; without a model, the config's
 * is used. `expectations` and `faults` replace those of the config.
 */
export function layRequest(
  { loaded, run }: Settled,
  request: RunRequest,
  { limits, difficultyWeights }: Pick<RequestedSettings, 'limits' | 'difficultyWeights'> = {},
): Settled {
  const { expectations, faults } = request;
  const { judge, user, ...config } = loaded.config;
  return {
    loaded: {
      ...loaded,
      config: {
        ...config,
        ...given({ judge: over(judge, request.judge), user: userOver(user, request.user) }),
      },
    },
    run: {
      ...run,
      ...given({ faults }),
      ...(limits === undefined ? {} : { limits: mergeLimits(run.limits, limits) }),
      ...(difficultyWeights === undefined
        ? {}
        : { difficultyWeights: { ...run.difficultyWeights, ...difficultyWeights } }),
      ...(expectations === undefined ? {} : { expectations, areExpectationsRequested: true }),
    },
  };
}

/** The settings of a project under those that its options ask for. */
export function underRequest(settled: Settled, request: RequestedSettings | undefined): Settled {
  return request === undefined ? settled : layRequest(settled, (request.laid ?? {}) as RunRequest, request);
}

interface Asked {
  readonly model?: string | undefined;
  readonly target?: string | undefined;
}

/** A model replaces a target, and vice versa. Other settings stay. */
function over<Settings extends Asked>(
  below: string | Settings | undefined,
  above: string | Settings | undefined,
): string | Settings | undefined {
  if (above === undefined || below === undefined) return above ?? below;
  const laid = { ...keysOf(below), ...keysOf(above) };
  const { model: _, target: __, ...how } = laid;
  const who = keysOf(above);
  const { model, target } = who.model === undefined && who.target === undefined ? keysOf(below) : who;
  return { ...how, ...given({ model, target }) } as Settings;
}

function keysOf<Settings extends Asked>(written: string | Settings): Settings | Asked {
  return typeof written === 'string' ? { target: written } : written;
}

/** A script and a model have no key in common. */
function userOver(below: Config['user'], above: Config['user']): Config['user'] {
  if (above === undefined || isScript(above) || isScript(below)) return above ?? below;
  return over(below, above);
}

function isScript(user: Config['user']): user is Script {
  return typeof user === 'object' && user.type === 'scripted';
}

type Script = Extract<Config['user'], { readonly type: 'scripted' }>;
