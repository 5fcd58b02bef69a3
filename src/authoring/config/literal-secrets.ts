import { isObject } from '../../lib/json.ts';
import { isSecretName, type NamedSecret } from '../../lib/redact/secrets.ts';
import { holdsReference } from './expand.ts';
import { fileSecrets } from './file-secrets.ts';

/** Secret names in addition to those known everywhere; `author` is not one. */
const SECRET_VARIABLE = /CREDENTIAL|AUTH(?!OR)/i;

const SECRET_HEADER = /auth|cookie|credential|session/i;

/**
 * Secrets that are written in a target: in `env` under secret names, in `headers` for authorization, keys and cookies,
 * and in the texts of `files`. References to environment variables are not included.
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

/** Agents repeat a token without its scheme, and one cookie without the others. */
function headerSecrets({ name, value }: NamedSecret): readonly NamedSecret[] {
  if (!SECRET_HEADER.test(name) && !isSecretName(name)) return [];
  return parts(name, value).map((secret) => ({ name, value: secret.trim() }));
}

function parts(name: string, value: string): readonly string[] {
  if (/cookie/i.test(name)) return value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1));
  return [/authorization/i.test(name) ? value.replace(/^[A-Za-z][\w-]*\s+/, '') : value];
}
