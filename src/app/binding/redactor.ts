import { literalSecrets } from '../../authoring/config/literal-secrets.ts';
import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import { modelSecretNames } from './models.ts';
import type { TargetUse } from './use-targets.ts';
import { createRedactor, type Redactor } from '../../lib/redact/redact.ts';
import type { NamedSecret } from '../../lib/redact/secrets.ts';

/** The sources of secrets. */
export interface RedactorSource {
  readonly environment: Readonly<Record<string, string>>;
  /** Names of further variables with secret values, besides those with telling names such as `API_KEY`. */
  readonly secretNames: readonly string[];
  /** Literal secrets in the config. */
  readonly secretLiterals: readonly NamedSecret[];
  readonly redactPatterns: readonly string[];
}

export function redactorFor(source: RedactorSource): Redactor {
  return createRedactor({
    environment: source.environment,
    names: source.secretNames,
    literals: source.secretLiterals,
    extraPatterns: source.redactPatterns.map((pattern) => ({
      name: 'pattern',
      pattern: new RegExp(pattern),
    })),
  });
}

/** The secrets of a config and of the targets that it starts: variables, and literals in the config. */
export function secretsOf(
  loaded: LoadedConfig,
  uses: readonly SecretUse[],
  { names = [], patterns = [] }: Redaction = {},
): RedactorSource {
  return {
    environment: loaded.environment,
    secretNames: [...uses.flatMap((use) => use.secretNames), ...modelSecretNames(loaded), ...names],
    secretLiterals: [
      ...uses.flatMap((use) => use.secretLiterals ?? []),
      ...literalSecrets(loaded.config.models),
    ],
    redactPatterns: patterns,
  };
}

/** Secrets of targets, or of the model of a user. */
interface SecretUse extends Pick<TargetUse, 'secretNames'>, Partial<Pick<TargetUse, 'secretLiterals'>> {}

interface Redaction {
  readonly names?: readonly string[] | undefined;
  readonly patterns?: readonly string[] | undefined;
}
