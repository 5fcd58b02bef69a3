/** A change that is not saved yet. */
export interface KeptEdit<Value> {
  readonly now: Value;
  /** The value that the change began with. */
  readonly base: Value;
  /** Its version, for `If-Match`. Empty: it is new. */
  readonly version: string;
}

const keyOf = (key: string) => `assay edit ${key}`;

/** The change that this tab kept, or undefined. */
export function keptEdit<Value>(key: string): KeptEdit<Value> | undefined {
  const text = sessionStorage.getItem(keyOf(key));
  return text === null ? undefined : (JSON.parse(text) as KeptEdit<Value>);
}

/** Keeps a change over a reload. If the storage is full, only the page has it. */
export function keepEdit<Value>(key: string, edit: KeptEdit<Value> | undefined): void {
  try {
    if (edit === undefined) sessionStorage.removeItem(keyOf(key));
    else sessionStorage.setItem(keyOf(key), JSON.stringify(edit));
  } catch {
    // The page still has it.
  }
}
