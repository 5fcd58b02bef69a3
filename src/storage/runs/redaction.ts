/** Removes secrets from everything that is written. */
export interface Redaction {
  text(text: string): string;
  /** Whether `json` may change the value that this is the JSON of; a no is certain. */
  mayTouch(written: string): boolean;
  json<T>(value: T): T;
}
