/** The system's words for "not now". */
const CODES: ReadonlySet<unknown> = new Set(['EBUSY', 'EMFILE', 'ENFILE', 'EAGAIN']);

/** Whether the same may work a moment later. */
export function isBusy(error: unknown): boolean {
  return CODES.has((error as NodeJS.ErrnoException | undefined)?.code);
}
