/**
 * Caches results for at most `limit` keys. When half of that is new, all older keys are dropped at once: removing them
 * one by one from a Map is slow, because its first key is found by passing all removed ones.
 */
export function remembering<Value>(limit: number, make: (key: string) => Value): (key: string) => Value {
  let recent = new Map<string, Value>();
  let older: ReadonlyMap<string, Value> = new Map();
  return (key) => {
    const known = recent.get(key);
    if (known !== undefined) return known;
    const value = older.get(key) ?? make(key);
    if (recent.size >= limit / 2) {
      older = recent;
      recent = new Map();
    }
    recent.set(key, value);
    return value;
  };
}
