type Camel<Name> = Name extends `${infer Head}_${infer Rest}` ? `${Head}${Capitalize<Camel<Rest>>}` : Name;

type Snake<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;

/** A copy with `camelCase` keys in place of `snake_case`. */
export function camelKeys<Values extends object>(values: Values) {
  const renamed = (key: string) => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return withKeys(values, renamed) as { [Key in keyof Values as Camel<Key> & string]: Values[Key] };
}

/** A copy with `snake_case` keys in place of `camelCase`. */
export function snakeKeys<Values extends object>(values: Values) {
  const renamed = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return withKeys(values, renamed) as { [Key in keyof Values as Snake<Key> & string]: Values[Key] };
}

function withKeys(values: object, renamed: (key: string) => string): unknown {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [renamed(key), value]));
}
