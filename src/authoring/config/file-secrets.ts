import { fromLeaves } from '../../lib/json.ts';
import { isSecretName, type NamedSecret } from '../../lib/redact/secrets.ts';
import { holdsReference } from './expand.ts';

/** Values with the name of a secret in the text of a file: in JSON, or in lines such as `key = "value"`. */
export function fileSecrets(text: string): readonly NamedSecret[] {
  return named(text)
    .filter(({ name, value }) => isSecret(name) && !isElsewhere(value))
    .map(({ name, value }) => ({ name, value: withoutScheme(name, value) }));
}

function named(text: string): readonly NamedSecret[] {
  try {
    return textsIn(JSON.parse(text));
  } catch {
    return text.split('\n').flatMap(textsInLine);
  }
}

function textsIn(value: unknown): readonly NamedSecret[] {
  return fromLeaves(value, [], (text, path) => {
    const name = path.at(-1);
    return typeof text === 'string' && typeof name === 'string' ? [{ name, value: text }] : [];
  });
}

const PAIR =
  /(?<name>[\w.-]+)["']?\s*[:=]\s*(?:"(?<double>(?:[^"\\]|\\.)*)"|'(?<single>[^']*)'|(?<bare>(?:(?:Bearer|Basic) )?[^\s"'{},#[]+))/g;

function textsInLine(line: string): readonly NamedSecret[] {
  if (/^\s*(#|\/\/|;)/.test(line)) return [];
  return [...line.matchAll(PAIR)].map((match) => {
    const { name = '', double, single, bare }: Groups = match.groups ?? {};
    return { name, value: double?.replace(/\\(.)/g, '$1') ?? single ?? bare ?? '' };
  });
}

type Groups = Readonly<Record<string, string | undefined>>;

function isSecret(name: string): boolean {
  return isSecretName(name) || /authorization|credential/i.test(name);
}

/** The name of a variable, or a reference that the agent resolves itself. */
function isElsewhere(value: string): boolean {
  return holdsReference(value) || /^\$|^\{env:|^[A-Z]+\d{0,2}(_[A-Z]+\d{0,2})+$/.test(value);
}

function withoutScheme(name: string, value: string): string {
  return /authorization/i.test(name) ? value.replace(/^[A-Za-z][\w-]*\s+/, '') : value;
}
