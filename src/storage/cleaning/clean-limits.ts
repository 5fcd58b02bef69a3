/** Limits for searching an agent's files for secrets. Files beyond them are not kept. */
export interface CleanLimits {
  /** Bytes per file. */
  readonly fileBytes: number;
  /** Bytes of all files together. */
  readonly totalBytes: number;
  /** Levels of nested folders. */
  readonly folders: number;
  readonly timeMs: number;
}

export const CLEAN_LIMITS: CleanLimits = {
  fileBytes: 64 * 2 ** 20,
  totalBytes: 2 ** 30,
  folders: 100,
  timeMs: 60_000,
};
