/** Removes secrets from what is written. */
export interface Redaction {
  text(text: string): string;
  json<T>(value: T): T;
}
