/** Returns an object without the keys whose value is `undefined`; the same object when there are no such keys. */
export const given = <Values extends object>(values: Values): Given<Values> => {
  // Not `Object.entries`, which creates an array per key: this code runs for every request.
  for (const key in values) if (values[key] === undefined) return kept(values) as Given<Values>;
  return values as Given<Values>;
};

function kept<Values extends object>(values: Values): object {
  const found: Partial<Values> = {};
  for (const key in values) if (values[key] !== undefined) found[key] = values[key];
  return found;
}

type Given<Values> = {
  [Key in keyof Values as undefined extends Values[Key] ? never : Key]: Values[Key];
} & {
  [Key in keyof Values as undefined extends Values[Key] ? Key : never]?: Exclude<Values[Key], undefined>;
};
