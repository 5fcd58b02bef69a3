import { useSyncExternalStore } from 'react';

let isOut = false;
const listeners = new Set<() => void>();

/** Notes whether the server lets this browser in. */
export function setSignedOut(next: boolean): void {
  if (next === isOut) return;
  isOut = next;
  for (const listener of listeners) listener();
}

/** Whether the last answer was that nobody is signed in. */
export function useSignedOut(): boolean {
  return useSyncExternalStore(subscribe, () => isOut);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
