import type { TargetFinding, TargetPlugin, TargetSettings } from '../../core/plugin.ts';
import { isSecretName, MIN_SECRET_LENGTH } from '../../lib/redact/secrets.ts';

/** Secrets so short that an agent which masks them would damage its own output. */
export function shortSecretFindings(
  type: string,
  { env = {}, passEnv = [] }: Pick<TargetSettings, 'env' | 'passEnv'>,
  { operatorEnvironment }: Pick<Parameters<NonNullable<TargetPlugin['check']>>[1], 'operatorEnvironment'>,
): readonly TargetFinding[] {
  const given = [
    ...Object.entries(env).map(([name, value]) => ({ name, value, path: ['env', name] })),
    ...passEnv.map((name, index) => ({ name, value: operatorEnvironment[name], path: ['passEnv', index] })),
  ];
  return given
    .filter(({ name, value = '' }) => isSecretName(name) && value !== '' && value.length < MIN_SECRET_LENGTH)
    .map(({ name, path }) => ({
      path,
      weight: 'error',
      code: 'short-secret',
      message: `${name} has fewer than ${MIN_SECRET_LENGTH} characters, and ${type} masks secrets everywhere in its output, even in field names`,
      hint: 'use a longer value; if your model endpoint does not check the key, set it to any long text',
    }));
}
