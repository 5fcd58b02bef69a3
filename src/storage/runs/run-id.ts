const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';

/** `YYYYMMDDTHHMMSSZ-`, 2 base-32 characters of milliseconds and 4 random ones. Sorts by time. `bytes`: 4 random bytes. */
export function runId(now: number, bytes: Uint8Array): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  const ms = new Date(now).getUTCMilliseconds();
  return `${stamp}-${[ms >> 5, ms, ...bytes.slice(0, 4)].map((part) => BASE32[part % 32]).join('')}`;
}

/** Whether a text has the form of a run id. */
export function isRunId(text: string): boolean {
  return /^\d{8}T\d{6}Z-[0-9a-hjkmnp-tv-z]{6}$/.test(text);
}
