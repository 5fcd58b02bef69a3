/** Applies `redact` to every text and key inside plain JSON; what holds nothing to hide is returned as it is. */
export function redactJson<T>(value: T, redact: (text: string) => string): T {
  return redactValue(value, redact) as T;
}

function redactValue(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return redactList(value, redact);
  return isPlain(value) ? redactObject(value, redact) : value;
}

function redactList(list: readonly unknown[], redact: (text: string) => string): readonly unknown[] {
  let changed = false;
  const items = list.map((item) => {
    const redacted = redactValue(item, redact);
    changed ||= redacted !== item;
    return redacted;
  });
  return changed ? items : list;
}

function redactObject(object: object, redact: (text: string) => string): object {
  let changed = false;
  const entries = Object.entries(object).map(([key, value]): [string, unknown] => {
    const redacted: [string, unknown] = [redact(key), redactValue(value, redact)];
    changed ||= redacted[0] !== key || redacted[1] !== value;
    return redacted;
  });
  return changed ? Object.fromEntries(entries) : object;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
