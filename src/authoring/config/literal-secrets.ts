import { isObject } from '../../lib/json.ts';
import { isSecretName, type NamedSecret } from '../../lib/redact/secrets.ts';
import { holdsReference } from './expand.ts';
import { fileSecrets } from './file-secrets.ts';

/** Beside the names that are secret everywhere; an author is no secret. */
const SECRET_VARIABLE = /CREDENTIAL|AUTH(?!OR)/i;

const SECRET_HEADER = /auth|cookie|credential|session/i;

/**
 * Secrets that stand in a target itself: in `env` under names that tell of a secret, in `headers` those of
 * authorization, keys and cookies, in `files` what their texts tell as secret. What is still to be taken from the environment is not among them.
 */
export function literalSecrets(keys: unknown): readonly NamedSecret[] {
  if (Array.isArray(keys)) return keys.flatMap(literalSecrets);
  if (!isObject(keys)) return [];
  return Object.entries(keys).flatMap(([key, value]) => {
    if (key === 'env')
      return textsUnder(value).filter(({ name }) => isSecretName(name) || SECRET_VARIABLE.test(name));
    if (key === 'headers') return textsUnder(value).flatMap(headerSecrets);
    const inFiles = key === 'files' ? textsIn(value).flatMap((text) => fileSecrets(text)) : [];
    return [...inFiles, ...literalSecrets(value)];
  });
}

function textsUnder(value: unknown): readonly NamedSecret[] {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, text]) =>
    typeof text === 'string' && !holdsReference(text) ? [{ name, value: text }] : [],
  );
}

function textsIn(value: unknown): readonly string[] {
  return isObject(value) ? Object.values(value).filter((text) => typeof text === 'string') : [];
}

/** Agents repeat a token without the scheme before it, and one cookie without the others. */
function headerSecrets({ name, value }: NamedSecret): readonly NamedSecret[] {
  if (!SECRET_HEADER.test(name) && !isSecretName(name)) return [];
  return parts(name, value).map((secret) => ({ name, value: secret.trim() }));
}

function parts(name: string, value: string): readonly string[] {
  if (/cookie/i.test(name)) return value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1));
  return [/authorization/i.test(name) ? value.replace(/^[A-Za-z][\w-]*\s+/, '') : value];
}
