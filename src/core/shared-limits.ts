/** What all processes know of the limit for one key of a provider. */
export interface SharedLimit {
  /** How often the limit was lowered, by any process. */
  readonly cuts: number;
  /** Milliseconds until the next request may start; 0: now. */
  readonly holdMs: number;
}

/** The limits for keys of providers that several processes share. A key is named only by its digest. Disposed, it hears nothing any more. */
export interface SharedLimits extends Disposable {
  /** Calls `heard` with the limit now, and after each change. */
  follow(key: string, heard: (limit: SharedLimit) => void): void;
  /** Tells all processes that the provider refused a request which was sent after `cuts` cuts; undefined: not known. */
  tell(key: string, refused: { readonly cuts: number | undefined; readonly holdMs: number }): void;
}
