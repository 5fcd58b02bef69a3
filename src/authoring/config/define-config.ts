import type { AssayConfig } from './schema.ts';

/** Types a config; it comes back as it is. */
export function defineConfig(config: AssayConfig): AssayConfig {
  return config;
}
