/** Error codes of the system that mean "try again later". */
const CODES: ReadonlySet<unknown> = new Set(['EBUSY', 'EMFILE', 'ENFILE', 'EAGAIN']);

/** Whether the same operation may succeed a moment later. */
export function isBusy(error: unknown): boolean {
  return CODES.has((error as NodeJS.ErrnoException | undefined)?.code);
}
