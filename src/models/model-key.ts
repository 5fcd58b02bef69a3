import type { ModelChoice, ModelRequest } from '../core/model.ts';
import { parseModelName } from './model-name.ts';
import type { ProviderConfig } from './provider-config.ts';
import { providerFacts } from './provider-table.ts';

/** Where a key is searched. */
export interface KeySource {
  /** `models` of the config. */
  readonly providers: Readonly<Record<string, ProviderConfig>>;
  readonly environment: Readonly<Record<string, string>>;
}

/** The API key of a model and its variable; both absent when no key is needed. */
export interface ModelKey {
  readonly name?: string;
  readonly value?: string;
  /** A key is needed and not set. */
  readonly missing?: { readonly message: string; readonly hint: string };
}

/**
 * Finds the key of a model; an endpoint that names no variable is asked without one. A guarded request that brings its own
 * address does not get the key that the config has for the provider.
 */
export function modelKey(
  choice: ModelChoice & Pick<ModelRequest, 'addresses'>,
  { providers, environment }: KeySource,
): ModelKey {
  const provider = parseModelName(choice.model)?.provider;
  if (provider === undefined) return {};
  const config = providers[provider] ?? {};
  const isElsewhere = choice.addresses !== undefined && choice.baseUrl !== undefined;
  const named = choice.apiKeyEnv ?? (isElsewhere ? undefined : config.apiKeyEnv);
  const facts = providerFacts(provider, choice.baseUrl ?? config.baseUrl);
  const names = named === undefined ? facts.keyNames : [named];
  const name = names.find((each) => (environment[each] ?? '') !== '');
  const value = name === undefined ? undefined : environment[name];
  if (name !== undefined && value !== undefined) return { name, value };
  const [wanted] = names;
  if (wanted === undefined) return {};
  return {
    missing: {
      message: `no API key for ${choice.model}: ${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} not set`,
      hint: keyHint(wanted, `with models.${provider}.apiKeyEnv`),
    },
  };
}

/** What to do about a missing key. `elsewhere`: how the config names another variable. */
export function keyHint(name: string, elsewhere: string): string {
  return `set ${name} in the environment or in \`.env\` next to the config, or name another variable ${elsewhere}`;
}
