import { resolve } from 'node:path';

import { expand } from '../../authoring/config/expand.ts';
import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import { AssayError } from '../../core/errors.ts';
import type { Ledger } from '../../core/price.ts';
import type { SharedLimits } from '../../core/shared-limits.ts';
import { FIRST_ASKS } from '../../lib/time/reach.ts';
import type { ModelChoice, ModelDoor } from '../../core/model.ts';
import type { Redactor } from '../../lib/redact/redact.ts';
import type { DoorOptions } from '../../models/door.ts';
import { PRICE_TABLE } from '../../models/price-table.ts';
import type { RunOptions } from '../../core/run-options.ts';

export interface ModelsRequest {
  readonly loaded: LoadedConfig;
  readonly cassette: RunOptions['cassette'];
  /** The cassette folder is relative to this path. */
  readonly cwd: string;
  readonly seed: number;
  readonly redactor: Redactor;
  /** Limits the total cost of live calls. Answers from a cassette are free. */
  readonly ledger?: Ledger | undefined;
  /** Called with warnings during the run. */
  readonly warn?: ((text: string) => void) | undefined;
  /** The limits of keys that workers share. */
  readonly limits?: SharedLimits | undefined;
}

/** Access to the models of a run. Nothing is loaded before the first call or price lookup. */
export function openModels(opening: ModelsRequest): ModelDoor {
  let opened: Promise<ModelDoor> | undefined;
  const door = () => (opened ??= openNow(opening));
  return {
    ask: async (request, signal) => await (await door()).ask(request, signal),
    priceOf: async (choice) => await (await door()).priceOf(choice),
  };
}

async function openNow(opening: ModelsRequest): Promise<ModelDoor> {
  const { loaded, cassette, cwd, seed, redactor, ledger, warn, limits } = opening;
  const { openDoor } = await import('../../models/door.ts');
  const { environment, directory } = loaded;
  const { providers, faults } = configuredProviders(loaded);
  const live = openDoor({
    providers,
    environment,
    directory,
    seed,
    ledger,
    limits,
    // For targets, the schedule reports this.
    onGone: ({ stage, message }) => {
      if (stage !== 'target')
        warn?.(`no more requests are sent, because the first ${FIRST_ASKS} failed: ${message}`);
    },
  });
  const refuseFaulty = ({ model }: ModelChoice): void => {
    const fault = faults.get(model.split('/')[0] ?? '');
    if (fault !== undefined)
      throw new AssayError(fault.code, fault.message, { stage: 'target', hint: fault.hint });
  };
  const door: ModelDoor = {
    priceOf: live.priceOf,
    async ask(request, signal) {
      refuseFaulty(request);
      return await live.ask(request, signal);
    },
  };
  if (cassette === undefined) return door;
  const { withCassette } = await import('../../models/cassette.ts');
  return withCassette(door, {
    mode: cassette.mode,
    directory: resolve(cwd, cassette.directory),
    redact: redactor.json,
  });
}

/** `models` of the config with values of the environment, and the variables that are not set. */
export function configuredProviders({ config, environment }: LoadedConfig) {
  const expanded = Object.entries(config.models ?? {}).map(
    ([provider, keys]) => [provider, expand(keys, environment, ['models', provider])] as const,
  );
  const providers = Object.fromEntries(expanded.map(([provider, { value }]) => [provider, value]));
  return {
    providers: providers as DoorOptions['providers'],
    faults: new Map(expanded.map(([provider, found]) => [provider, found.faults[0]])),
  };
}

/** Name and date of the built-in price table. */
export const pricesVersion: string = `${PRICE_TABLE.source} of ${PRICE_TABLE.date}`;

/** Names of the variables of the config's providers, whose values are secret. */
export function modelSecretNames({ config }: Pick<LoadedConfig, 'config'>): readonly string[] {
  const providers = Object.values(config.models ?? {});
  return providers.flatMap(({ apiKeyEnv }) => (apiKeyEnv === undefined ? [] : [apiKeyEnv]));
}
