type Change = (text: string) => string;

/** How texts are changed, and how keys are. */
interface Changes {
  readonly text: Change;
  readonly key: Change;
}

/** Applies `text` to every text and `key` to every key in plain JSON; what holds nothing to hide stays as it is. */
export function redactJson<T>(value: T, text: Change, key: Change = text): T {
  return redactValue(value, { text, key }) as T;
}

function redactValue(value: unknown, changes: Changes): unknown {
  if (typeof value === 'string') return changes.text(value);
  if (Array.isArray(value)) return redactList(value, changes);
  return isPlain(value) ? redactObject(value, changes) : value;
}

function redactList(list: readonly unknown[], changes: Changes): readonly unknown[] {
  let changed = false;
  const items = list.map((item) => {
    const redacted = redactValue(item, changes);
    changed ||= redacted !== item;
    return redacted;
  });
  return changed ? items : list;
}

function redactObject(object: object, changes: Changes): object {
  let changed = false;
  const entries = Object.entries(object).map(([key, value]): [string, unknown] => {
    const redacted: [string, unknown] = [changes.key(key), redactValue(value, changes)];
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
