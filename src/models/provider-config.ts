import type { Price } from '../core/price.ts';

/** `models.<provider>` of the config. */
export interface ProviderConfig {
  readonly apiKeyEnv?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  /** Price of all models of the provider, or by model name. */
  readonly price?: Price | Readonly<Record<string, Price>> | undefined;
}
