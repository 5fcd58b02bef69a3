/** What pruning removed, or would remove. */
export interface Pruned {
  /** Ids, oldest first. */
  readonly runs: readonly string[];
  /** Archived runs that stay, because somebody or another run needs them. */
  readonly kept: readonly KeptArchived[];
  /** Bytes of texts and files that no other run has. */
  readonly bytes: number;
  /** Folders of removed runs that could not be removed; absolute. Absent: none. */
  readonly leftFolders?: readonly string[];
}

export interface KeptArchived {
  readonly id: string;
  /** `source`, `compared`: a run that stays grades its trials, or names it as its baseline. */
  readonly because: 'baseline' | 'reviewed' | 'source' | 'compared';
}

export interface PruneChoice {
  /** ISO 8601: runs that were archived earlier. */
  readonly archivedBefore: string;
  /** Tells the outcome and removes nothing. */
  readonly isDryRun?: boolean;
}
