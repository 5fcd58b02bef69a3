import { useSyncExternalStore } from 'react';

let isOut = false;
let signIns = 0;
const listeners = new Set<() => void>();

/** Notes whether the server lets this browser in. */
export function setSignedOut(next: boolean): void {
  if (!next) signIns += 1;
  if (next === isOut) return;
  isOut = next;
  for (const listener of listeners) listener();
}

/** How often somebody has signed in here. */
export function signInCount(): number {
  return signIns;
}

/** Whether the last answer was that nobody is signed in. */
export function useSignedOut(): boolean {
  return useSyncExternalStore(subscribe, () => isOut);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
