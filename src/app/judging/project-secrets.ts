import { literalSecrets } from '../../authoring/config/literal-secrets.ts';
import type { RedactorSource } from '../binding/redactor.ts';
import type { Project } from '../binding/machine.ts';

/** The secrets when no target is started: variables with these names, and literals in the config. */
export function projectSecrets({ loaded, run }: Project, secretNames: readonly string[]): RedactorSource {
  const targets = [...loaded.written.values()].map(({ keys }) => keys);
  return {
    environment: loaded.environment,
    secretNames,
    secretLiterals: literalSecrets([...targets, loaded.config.models]),
    redactPatterns: run.redact?.patterns ?? [],
  };
}
