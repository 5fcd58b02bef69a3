import type { CheckFacts } from './check-input.ts';

/** A question to a thread. */
export interface CheckRequest<Facts = CheckFacts> {
  readonly check: { readonly text: string } | { readonly path: string };
  readonly facts: Facts;
}

/** A thread loads checks of one key once. */
export function keyOf(check: CheckRequest['check']): string {
  return 'path' in check ? `file ${check.path}` : `text ${check.text}`;
}
