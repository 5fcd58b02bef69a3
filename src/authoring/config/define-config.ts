import type { AssayConfig } from './schema.ts';

/** Returns its argument unchanged; gives a config its type. */
export function defineConfig(config: AssayConfig): AssayConfig {
  return config;
}
