/** Other names of some keys. */
type Names = Readonly<Record<string, string>>;

type Renamed<Value, Own extends Names> = {
  readonly [Key in keyof Value & keyof Own as Own[Key]]?: Exclude<Value[Key], undefined>;
};

type Restored<Value, Own extends Names> = {
  readonly [Key in keyof Own as Own[Key] extends keyof Value ? Key : never]?: Exclude<
    Value[Own[Key] & keyof Value],
    undefined
  >;
};

/** The values of the named keys under their other names. What is undefined is left out. */
export function renamed<Value extends object, const Own extends Names>(
  value: Value,
  names: Own,
): Renamed<Value, Own> {
  return taken(value, Object.entries(names)) as Renamed<Value, Own>;
}

/** The reverse of `renamed`. */
export function restored<Value extends object, const Own extends Names>(
  value: Value,
  names: Own,
): Restored<Value, Own> {
  return taken(
    value,
    Object.entries(names).map(([own, other]) => [other, own]),
  ) as Restored<Value, Own>;
}

function taken(value: object, names: readonly (readonly [from: string, to: string])[]): object {
  const values = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    names.flatMap(([from, to]) => (values[from] === undefined ? [] : [[to, values[from]]])),
  );
}
