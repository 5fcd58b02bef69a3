import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider';

import type { ErrorCode } from '../core/error-code.ts';
import { MeasurementError } from '../core/errors.ts';
import type { ModelChoice, ModelRequest } from '../core/model.ts';
import type { Price } from '../core/price.ts';
import type { SharedLimits } from '../core/shared-limits.ts';
import { given } from '../lib/given.ts';
import { openReach, type Reach } from '../lib/time/reach.ts';
import { STAGES } from './call-error.ts';
import type { AddressGuard } from '../lib/http/address-guard.ts';
import { openFetch } from '../lib/http/kept-fetch.ts';
import type { Clock } from '../lib/time/clock.ts';
import { openLine, type Line } from './line.ts';
import { keyDigest, type KeyPlace } from './key-digest.ts';
import { loadProvider, ProviderUnusable, type ModelFactory } from './load-provider.ts';
import { openOverrun, type Overrun } from './overrun.ts';
import { modelKey } from './model-key.ts';
import { parseModelName } from './model-name.ts';
import type { Priced } from './price-table.ts';
import type { ProviderConfig } from './provider-config.ts';
import type { SharedKey } from './shared-key.ts';
import { installCommand } from './install-command.ts';
import { providerFacts, type ProviderFacts } from './provider-table.ts';

/** How one model is called: address, key and queue. */
export interface Route {
  readonly provider: string;
  /** What it asks: answers of a language model, or embeddings. */
  readonly model: LanguageModelV4 | EmbeddingModelV4;
  readonly facts: ProviderFacts;
  readonly line: Line;
  /** Name of the variable with the key, for messages. */
  readonly keyName: string | undefined;
  readonly priced: Priced;
  /** Billed cost beyond the reservation. */
  readonly overrun: Overrun;
  /** Learned at run time: the endpoint refuses schemas, so they are put into the prompt. */
  readonly learned: { refusesSchema: boolean };
  /** Shared by all models at this address. */
  readonly reach: Reach<MeasurementError>;
}

export interface RoutesOptions {
  readonly providers: Readonly<Record<string, ProviderConfig>>;
  readonly environment: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly clock: Clock;
  /** Called once for an address that none of the first requests has reached. */
  readonly onGone?: ((error: MeasurementError) => void) | undefined;
  /** The limits that other processes know too; absent: only this process uses the keys. */
  readonly limits?: SharedLimits | undefined;
}

/** A model and all settings that decide how it is called. */
type Choice = ModelChoice & Pick<ModelRequest, 'role' | 'addresses' | 'embed'>;

export interface Routes {
  /** Rejects with a MeasurementError that says what to install or set. */
  to(choice: Choice): Promise<Route>;
}

/** The price of a model, from the choice itself and the config. */
export function pricedOf(choice: ModelChoice, providers: RoutesOptions['providers']): Priced | undefined {
  const parsed = parseModelName(choice.model);
  if (parsed === undefined) return undefined;
  const config = providers[parsed.provider] ?? {};
  const baseUrl = choice.baseUrl ?? config.baseUrl;
  const { isEndpoint } = providerFacts(parsed.provider, baseUrl);
  const price = choice.price ?? configuredPrice(config, parsed.name);
  // A custom endpoint without an address is never called, and its prices are unknown.
  return { ...parsed, price, ...(isEndpoint ? { baseUrl: baseUrl ?? 'unknown:' } : {}) };
}

export function openRoutes(options: RoutesOptions): Routes {
  const factories = new Map<string, Promise<ModelFactory>>();
  const lines = new Map<string, Line>();
  const routes = new Map<string, Route>();
  const fetches = new Map<
    AddressGuard | undefined,
    { readonly fetch: typeof fetch; readonly number: number }
  >();
  const reaches = new Map<string, Route['reach']>();

  const factoryOf = (packageName: string) =>
    keptIn(factories, packageName, () => loadProvider(packageName, options.directory));
  const lineOf = (place: string, config: ProviderConfig, key: KeyPlace) =>
    keptIn(lines, place, () => openLine(options.clock, config, sharedKey(key, options)));
  const fetchOf = (guard: AddressGuard | undefined) =>
    keptIn(fetches, guard, () => ({ fetch: openFetch(guard), number: fetches.size }));
  const reachOf = (key: string) => keptIn(reaches, key, () => openReach(options.onGone));

  async function to(choice: Choice): Promise<Route> {
    const priced = pricedOf(choice, options.providers);
    if (priced === undefined) throw notAModel(choice);
    const { provider, name } = priced;
    const config = options.providers[provider] ?? {};
    const baseUrl = choice.baseUrl ?? config.baseUrl;
    const facts = providerFacts(provider, baseUrl);
    const key = modelKey(choice, options);
    if (key.missing !== undefined) throw unavailable(choice, 'credentials-missing', key.missing);
    const place = JSON.stringify([provider, baseUrl, key.name]);
    const { fetch, number } = fetchOf(choice.addresses);
    const kind = choice.embed === undefined ? 'language' : 'embedding';
    const id = JSON.stringify([place, name, number, kind]);
    const known = routes.get(id);
    if (known !== undefined) return { ...known, priced };
    if (facts.isEndpoint && baseUrl === undefined) throw withoutAddress(choice, provider);
    const source = { packageName: facts.packageName, directory: options.directory };
    const create = await factoryOf(facts.packageName).catch((error: unknown) => {
      throw unusable(choice, source, error);
    });
    // Another caller may have created it in the meantime: what is learned about a model is shared by all callers.
    const made = routes.get(id);
    if (made !== undefined) return { ...made, priced };
    const settings = {
      fetch,
      ...given({ apiKey: key.value, baseURL: baseUrl }),
      ...(facts.isEndpoint ? { name: provider, includeUsage: true, supportsStructuredOutputs: true } : {}),
    };
    const model = creating(choice, source, () => create[kind](settings, name));
    const route = {
      provider,
      model,
      facts,
      line: lineOf(place, config, { provider, baseUrl, key: key.value }),
      keyName: key.name,
      priced,
      overrun: openOverrun(),
      learned: { refusesSchema: false },
      reach: reachOf(place),
    };
    routes.set(id, route);
    return route;
  }
  return { to };
}

function sharedKey(place: KeyPlace, { limits }: RoutesOptions): SharedKey | undefined {
  return limits && { limits, key: keyDigest(place) };
}

/** Created once per key. */
function keptIn<K, T>(known: Map<K, T>, key: K, make: () => T): T {
  const made = known.get(key) ?? make();
  known.set(key, made);
  return made;
}

function configuredPrice({ price }: ProviderConfig, name: string): Price | undefined {
  if (price === undefined) return undefined;
  if (typeof (price as Partial<Price>).input === 'number') return price as Price;
  return (price as Readonly<Record<string, Price>>)[name];
}

function creating<T>(choice: Choice, place: PackagePlace, create: () => T): T {
  try {
    return create();
  } catch (error) {
    throw unusable(choice, place, error);
  }
}

function notAModel(choice: Choice): MeasurementError {
  return unavailable(choice, 'model-name', {
    message: `invalid model name ${JSON.stringify(choice.model)}`,
    hint: 'write it as provider/name, such as openai/gpt-5-mini',
  });
}

function withoutAddress(choice: Choice, provider: string): MeasurementError {
  return unavailable(choice, 'base-url-missing', {
    message: `no base URL configured for ${choice.model}`,
    hint: `set models.${provider}.baseUrl in the config to the address of the endpoint`,
  });
}

interface PackagePlace {
  readonly packageName: string;
  /** Of the project. */
  readonly directory: string;
}

function unusable(choice: Choice, { packageName, directory }: PackagePlace, error: unknown): Error {
  const install = installCommand([packageName], directory);
  if (!(error instanceof ProviderUnusable)) {
    return unavailable(choice, 'package-broken', {
      message: `cannot load the package ${packageName} for ${choice.model}: ${String(error)}`,
      hint: `install it again: ${install}`,
      cause: error,
    });
  }
  return unavailable(choice, error.isMissing ? 'package-missing' : 'package-unknown', {
    message: `cannot call ${choice.model}: ${error.message}`,
    hint: `run ${install}${error.isMissing ? '; or, for a chat completions endpoint, set its baseUrl' : ''}`,
  });
}

function unavailable(
  { role }: Choice,
  detail: ErrorCode,
  said: { readonly message: string; readonly hint: string; readonly cause?: unknown },
): MeasurementError {
  const { message, ...rest } = said;
  return new MeasurementError(message, { ...rest, stage: STAGES[role], kind: 'target-unavailable', detail });
}
