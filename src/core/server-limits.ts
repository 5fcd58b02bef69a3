/** The limits of a server. Counts per minute and feeds hold only with token authentication. */
export interface ServerLimits {
  /** Of a JSON body, in bytes. */
  readonly maxBodyBytes: number;
  /** Of an import, in bytes. */
  readonly maxImportBytes: number;
  /** Of an import as JSON or YAML, which are parsed as a whole, in bytes. */
  readonly maxImportDocumentBytes: number;
  readonly maxImportCases: number;
  /** Of an account at the same time. */
  readonly maxFeeds: number;
  /** Of an account. */
  readonly requestsPerMinute: number;
  /** Of an account. */
  readonly runStartsPerMinute: number;
  /** From an address. */
  readonly failedSignInsPerMinute: number;
}

export const USUAL_SERVER_LIMITS: ServerLimits = {
  maxBodyBytes: 1_000_000,
  maxImportBytes: 100_000_000,
  maxImportDocumentBytes: 10_000_000,
  maxImportCases: 50_000,
  maxFeeds: 20,
  requestsPerMinute: 600,
  runStartsPerMinute: 30,
  failedSignInsPerMinute: 10,
};
