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
