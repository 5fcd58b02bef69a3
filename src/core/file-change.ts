/** A file the agent created, edited or deleted. */
export interface FileChange {
  /** Relative to the workspace, `/` as separator. */
  readonly path: string;
  readonly change: 'created' | 'edited' | 'deleted';
  /** Unified diff of this file; absent for binary content. */
  readonly diff?: string;
  /** Why the file could not be read. Changes below an unreadable path are unknown. */
  readonly omitted?: 'too-large' | 'unreadable';
}
