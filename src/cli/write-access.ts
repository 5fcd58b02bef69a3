import type { AccessOutput } from '../app/manage-accounts.ts';

export interface AccessFlags {
  readonly json?: boolean;
}

/** Prints the output of a command about accounts or tokens. Notes go to stderr, so that a token can be piped. */
export function writeAccess({ text, json, note }: AccessOutput, form: 'text' | 'json'): void {
  process.stdout.write(form === 'json' ? json : text);
  if (form === 'text' && note !== undefined) process.stderr.write(note);
}
