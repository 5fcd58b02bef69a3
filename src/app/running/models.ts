import { resolve } from 'node:path';

import { expand } from '../../authoring/config/expand.ts';
import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import { AssayError } from '../../core/errors.ts';
import type { Ledger } from '../../core/price.ts';
import { FIRST_ASKS } from '../../lib/time/reach.ts';
import type { ModelChoice, ModelDoor } from '../../core/model.ts';
import type { Redactor } from '../../lib/redact/redact.ts';
import type { DoorOptions } from '../../models/door.ts';
import { PRICE_TABLE } from '../../models/price-table.ts';
import type { RunOptions } from '../../core/run-options.ts';

export interface ModelsRequest {
  readonly loaded: LoadedConfig;
  readonly cassette: RunOptions['cassette'];
  /** What the cassette's folder is relative to. */
  readonly cwd: string;
  readonly seed: number;
  readonly redactor: Redactor;
  /** Bounds what live calls cost together; what a cassette answers costs nothing. */
  readonly ledger?: Ledger | undefined;
  /** Gets what a person should know while the run goes on. */
  readonly warn?: ((text: string) => void) | undefined;
}

/** The door to models of a run; nothing is loaded before the first model is asked or priced. */
export function openModels(opening: ModelsRequest): ModelDoor {
  let opened: Promise<ModelDoor> | undefined;
  const door = () => (opened ??= openNow(opening));
  return {
    ask: async (request, signal) => await (await door()).ask(request, signal),
    priceOf: async (choice) => await (await door()).priceOf(choice),
  };
}

async function openNow(opening: ModelsRequest): Promise<ModelDoor> {
  const { loaded, cassette, cwd, seed, redactor, ledger, warn } = opening;
  const { openDoor } = await import('../../models/door.ts');
  const { environment, directory } = loaded;
  const { providers, faults } = configuredProviders(loaded);
  const live = openDoor({
    providers,
    environment,
    directory,
    seed,
    ledger,
    // Of a target the schedule tells.
    onGone: ({ stage, message }) => {
      if (stage !== 'target')
        warn?.(`no more requests are sent: the first ${FIRST_ASKS} did not get through: ${message}`);
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

/** `models` of the config with the environment in it, and what of that is not set. */
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

/** The table that prices come from where nobody wrote one, with its date. */
export const pricesVersion: string = `${PRICE_TABLE.source} of ${PRICE_TABLE.date}`;

/** Variables of the config's providers; their values are secret. */
export function modelSecretNames({ config }: Pick<LoadedConfig, 'config'>): readonly string[] {
  const providers = Object.values(config.models ?? {});
  return providers.flatMap(({ apiKeyEnv }) => (apiKeyEnv === undefined ? [] : [apiKeyEnv]));
}
