/** Calls `react` when the signal is aborted, at once if it already is. Returns a function that stops listening. */
export function onAbort(signal: AbortSignal, react: () => void): () => void {
  signal.addEventListener('abort', react, { once: true });
  if (signal.aborted) react();
  return () => signal.removeEventListener('abort', react);
}
