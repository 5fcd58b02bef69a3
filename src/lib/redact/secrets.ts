import { allowListed } from '../process/environment.ts';
import { spellings } from './spellings.ts';

/** From this many characters on a value is a secret; shorter ones would hit ordinary text. */
export const MIN_SECRET_LENGTH = 8;

/** Lines of a value of several lines are secrets of their own from here on, for output is read by lines. */
const MIN_LINE_LENGTH = 24;

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|^DATABASE_URL$/i;

/** A secret and what stands in its mark. */
export interface NamedSecret {
  readonly name: string;
  readonly value: string;
}

/** Where secrets are from. */
export interface SecretSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Variables that are secret whatever they are called. */
  readonly names?: Iterable<string>;
  readonly literals?: readonly NamedSecret[];
}

/** Whether what goes by this name is secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Every spelling of every secret value, with the name of its variable; the longest first. */
export function secretSpellings({
  environment,
  names = [],
  literals = [],
}: SecretSources): ReadonlyMap<string, string> {
  // Targets pass PATH and HOME as well, and paths are what transcripts are about.
  const listed = new Set([...names].filter((name) => !isOrdinary(name)));
  const found: (readonly [string, string])[] = [];
  const secrets = Object.entries(environment).flatMap(([name, value]): NamedSecret[] =>
    value !== undefined && (listed.has(name) || isSecretName(name)) ? [{ name, value }] : [],
  );
  // Of a variable and a literal with one value, the variable gives its name: it comes later.
  for (const { name, value } of [...literals, ...secrets]) {
    for (const text of worthHiding(value)) {
      for (const spelling of spellings(text)) found.push([spelling, name]);
    }
  }
  // Stable: of two variables with one value, a listed one gives its name.
  found.sort(([a, of], [b, or]) => b.length - a.length || Number(listed.has(of)) - Number(listed.has(or)));
  return new Map(found);
}

function isOrdinary(name: string): boolean {
  return name in allowListed({ [name]: '' });
}

function worthHiding(value: string): readonly string[] {
  const text = value.trim();
  if (text.length < MIN_SECRET_LENGTH) return [];
  const lines = text.split('\n').map((line) => line.trim());
  const whole = lines.length === 1 ? [] : lines.filter((line) => line.length >= MIN_LINE_LENGTH);
  return [text, ...whole.filter((line) => !line.startsWith('-----')), ...passwordsIn(text)];
}

/** The password of a URL, as it is written and as it is meant: programs show either without the URL. */
function passwordsIn(text: string): readonly string[] {
  const [, written = ''] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@:]*:([^/?#]*)@/i.exec(text) ?? [];
  return [...new Set([written, decoded(written)])].filter(({ length }) => length >= MIN_SECRET_LENGTH);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
