/** How much of what an agent left is searched for secrets; what is beyond is not kept. */
export interface CleanLimits {
  /** Of one file. */
  readonly fileBytes: number;
  /** Of all files together. */
  readonly totalBytes: number;
  /** Folders below each other. */
  readonly folders: number;
  readonly timeMs: number;
}

export const CLEAN_LIMITS: CleanLimits = {
  fileBytes: 64 * 2 ** 20,
  totalBytes: 2 ** 30,
  folders: 100,
  timeMs: 60_000,
};
