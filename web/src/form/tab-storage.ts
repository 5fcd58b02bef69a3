/**
 * What this tab keeps over a reload. A large value takes too long to write after each key, so values are
 * written when nothing changed for a moment, and at the latest when the page is left.
 */
const PAUSE_MS = 300;

const waiting = new Map<string, unknown>();
let timer: ReturnType<typeof setTimeout> | undefined;

export function keepInTab(key: string, value: unknown): void {
  if (timer === undefined) addEventListener('pagehide', writeWaiting);
  clearTimeout(timer);
  waiting.set(key, value);
  timer = setTimeout(writeWaiting, PAUSE_MS);
}

/** The value that this tab keeps, or undefined. */
export function keptInTab(key: string): unknown {
  if (waiting.has(key)) return waiting.get(key);
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : JSON.parse(text);
}

export function forgetInTab(key: string): void {
  waiting.delete(key);
  sessionStorage.removeItem(key);
}

/** Forgets everything, such as for another account. */
export function clearTab(): void {
  waiting.clear();
  sessionStorage.clear();
}

function writeWaiting(): void {
  for (const [key, value] of waiting) {
    try {
      sessionStorage.setItem(key, JSON.stringify(value));
      waiting.delete(key);
    } catch {
      // The storage is full or refused. The page still has the value.
    }
  }
}
