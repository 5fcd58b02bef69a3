/** Removes secrets from everything that is written. */
export interface Redaction {
  text(text: string): string;
  json<T>(value: T): T;
}
