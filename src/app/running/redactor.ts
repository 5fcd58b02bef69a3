import { createRedactor, type Redactor } from '../../lib/redact/redact.ts';
import type { NamedSecret } from '../../lib/redact/secrets.ts';

/** Where secrets come from. */
export interface RedactorSource {
  readonly environment: Readonly<Record<string, string>>;
  /** Variables whose values are secret, beside those whose names say so. */
  readonly secretNames: readonly string[];
  /** Secrets that stand in the config itself. */
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
