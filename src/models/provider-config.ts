import type { Price } from '../core/price.ts';

/** `models.<provider>` of the config. */
export interface ProviderConfig {
  readonly apiKeyEnv?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  /** Of every model of the provider, or by the name of the model. */
  readonly price?: Price | Readonly<Record<string, Price>> | undefined;
}
