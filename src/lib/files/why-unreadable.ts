/** Why a file could not be read, in words where the system has only a code. */
export function whyUnreadable(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code = '' } = error as NodeJS.ErrnoException;
  return Object.hasOwn(WORDS, code) ? (WORDS[code] ?? error.message) : error.message;
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'file not found',
  ENOTDIR: 'file not found',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
};
