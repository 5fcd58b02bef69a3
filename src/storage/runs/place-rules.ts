import type { PlaceRule } from '../../lib/redact/redact-json.ts';

export const ID = { because: 'it connects events, rows and files' };
export const NAME = { because: 'the author chose it, and runs are compared, resumed and gated by it' };
export const CHOICE = { because: 'it is one of a fixed list of values that readers depend on' };
export const PATH = { because: 'it locates stored files' };
export const DIGEST = { because: 'it is a sha-256 that locates contents', form: /^[0-9a-f]{64}$/ };
export const TIME = { because: 'it is a time that readers compute with', form: /^[\d:.TZ-]{20,30}$/ };

/** Rules for every field of a shape. A new field does not compile without a rule. */
export type RulesOf<T> = Readonly<Record<T extends unknown ? keyof T & string : never, PlaceRule>>;

export interface Keyed {
  readonly keys: ReadonlyMap<string, PlaceRule>;
}

export function keyed<T>(rules: RulesOf<T>): Keyed {
  return { keys: new Map(Object.entries<PlaceRule>(rules)) };
}

export function clean<K extends string>(...keys: readonly K[]): Readonly<Record<K, 'clean'>> {
  return Object.fromEntries(keys.map((key) => [key, 'clean'])) as Record<K, 'clean'>;
}
