/** Removes secrets from everything that is written. */
export interface Redaction {
  text(text: string): string;
  /** Whether `json` may change the value that this is the JSON of; a no is certain. */
  mayTouch(written: string): boolean;
  json<T>(value: T): T;
}

/** For what a run directory holds already: it has no secrets any more. */
export const nothingHidden: Redaction = {
  text: (text) => text,
  mayTouch: () => false,
  json: (value) => value,
};
