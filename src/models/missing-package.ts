import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { ModelChoice } from '../core/model.ts';
import { isObject } from '../lib/json.ts';
import { parseModelName } from './model-name.ts';
import type { ProviderConfig } from './provider-config.ts';
import { meantProvider, providerFacts } from './provider-table.ts';

export interface PackageSource {
  /** `models` of the config. */
  readonly providers: Readonly<Record<string, ProviderConfig>>;
  /** Absolute folder of the project; its packages count too. */
  readonly directory: string;
}

/** The package that a model needs and that is not installed; nothing is loaded to find out. */
export function missingPackage(
  choice: ModelChoice,
  { providers, directory }: PackageSource,
): string | undefined {
  const provider = parseModelName(choice.model)?.provider;
  if (provider === undefined) return undefined;
  const { packageName } = providerFacts(provider, choice.baseUrl ?? providers[provider]?.baseUrl);
  const places = [import.meta.url, join(directory, 'package.json')];
  return places.some((place) => isThere(packageName, place)) ? undefined : packageName;
}

/** Whether a model needs an address that is not configured. */
export function missingAddress(
  { model, baseUrl }: ModelChoice,
  { providers }: Pick<PackageSource, 'providers'>,
): string | undefined {
  const provider = parseModelName(model)?.provider;
  if (provider === undefined) return undefined;
  const address = baseUrl ?? providers[provider]?.baseUrl;
  return address === undefined && providerFacts(provider, undefined).isEndpoint ? provider : undefined;
}

/** An unknown provider, with a suggestion. A provider with a package or an address of its own is known. */
export function misspeltProvider(
  choice: ModelChoice,
  source: PackageSource,
): { readonly provider: string; readonly meant: string } | undefined {
  const provider = parseModelName(choice.model)?.provider;
  if (provider === undefined || missingPackage(choice, source) === undefined) return undefined;
  const { isEndpoint } = providerFacts(provider, choice.baseUrl ?? source.providers[provider]?.baseUrl);
  const meant = isEndpoint ? undefined : meantProvider(provider);
  return meant === undefined ? undefined : { provider, meant };
}

/** Also finds packages that only `import` can load. */
function isThere(packageName: string, place: string): boolean {
  try {
    createRequire(place).resolve(packageName);
    return true;
  } catch (error) {
    return !isObject(error) || error['code'] !== 'MODULE_NOT_FOUND';
  }
}
