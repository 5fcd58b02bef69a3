/** Removes secrets from what is written. */
export interface Redaction {
  /** A fast test: false means that there is surely nothing to remove. */
  touches(text: string): boolean;
  json<T>(value: T): T;
}
