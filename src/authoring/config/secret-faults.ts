import { fromLeaves } from '../../lib/json.ts';
import { createRedactor } from '../../lib/redact/redact.ts';
import { isSecretName } from '../../lib/redact/secrets.ts';
import { fault, type Fault, type Path, pathLabel } from '../yaml/fault.ts';
import { holdsReference } from './expand.ts';
import { literalSecrets } from './literal-secrets.ts';

/** Secrets that are written out where a variable should be named: in headers, in URLs, and keys of well-known looks. */
export function secretFaults(value: unknown, path: Path): readonly Fault[] {
  return fromLeaves(value, path, (text, at) =>
    typeof text === 'string' && isSecret(text, at) ? [literalSecret(at)] : [],
  );
}

const redactor = createRedactor({ environment: {} });

function isSecret(text: string, path: Path): boolean {
  const [section, name] = path.slice(-2).map(String);
  const isHeader = section === 'headers' && literalSecrets({ headers: { [name ?? '']: text } }).length > 0;
  return (isHeader && text.trim() !== '') || redactor.text(text) !== text || isSecretUrl(text);
}

function isSecretUrl(text: string): boolean {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return false;
  const { password, searchParams } = new URL(text);
  const secrets = [
    password,
    ...[...searchParams].flatMap(([name, value]) => (isSecretName(name) ? [value] : [])),
  ];
  return secrets.some((secret) => secret !== '' && !holdsReference(decodeURIComponent(secret)));
}

function literalSecret(path: Path): Fault {
  const message = `${pathLabel(path)}: contains a secret that is visible to everyone who can read agents`;
  const hint = 'put the secret into an environment variable and write ${{ NAME }}';
  return fault('literal-secret', message, { path, hint });
}
