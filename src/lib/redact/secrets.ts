import { allowListed } from '../process/environment.ts';
import { spellings } from './spellings.ts';

/** The minimum length of a secret; shorter values would match ordinary text. */
export const MIN_SECRET_LENGTH = 8;

/** Minimum length for a line of a multi-line value to be a secret itself, because output is read by lines. */
const MIN_LINE_LENGTH = 24;

const SECRET_NAME = /KEY|TOKEN|SECRET|PASSWORD|^DATABASE_URL$/i;

/** A secret and the name in its mark. */
export interface NamedSecret {
  readonly name: string;
  readonly value: string;
}

export interface SecretSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Variables that are secret whatever their name is. */
  readonly names?: Iterable<string>;
  readonly literals?: readonly NamedSecret[];
}

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Every spelling of every secret value with the name of its variable, the longest first. */
export function secretSpellings({
  environment,
  names = [],
  literals = [],
}: SecretSources): ReadonlyMap<string, string> {
  // Targets pass PATH and HOME too, and transcripts contain many paths.
  const listed = new Set([...names].filter((name) => !isOrdinary(name)));
  const found: (readonly [string, string])[] = [];
  const secrets = Object.entries(environment).flatMap(([name, value]): NamedSecret[] =>
    value !== undefined && (listed.has(name) || isSecretName(name)) ? [{ name, value }] : [],
  );
  // For a variable and a literal with the same value, the variable names it, because it comes later.
  for (const { name, value } of [...literals, ...secrets]) {
    for (const text of worthHiding(value)) {
      for (const spelling of spellings(text)) found.push([spelling, name]);
    }
  }
  // Stable: of two variables with the same value, a listed one names it.
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
