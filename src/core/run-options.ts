/** What a person asked for; plain JSON, kept with the run so that it can be planned again. */
export interface RunOptions {
  /** Files, folders, globs; empty: everything below the working directory. */
  readonly patterns: readonly string[];
  readonly targets: readonly string[];
  readonly cases: readonly string[];
  readonly tags?: readonly string[];
  readonly excludeTags?: readonly string[];
  readonly limit?: number;
  readonly sample?: number;
  readonly shard?: { readonly index: number; readonly of: number };
  /** Only what failed or errored in that run. */
  readonly failed?: string;
  /** Stored runs that targets replay: as written, and what that meant when the run began. */
  readonly replays?: Readonly<Record<string, string>>;
  readonly repeat?: number;
  readonly concurrency?: number;
  readonly threshold?: number;
  /** The patterns name files of stored test cases. */
  readonly stored?: boolean;
  /** Which of them are meant. */
  readonly select?: CaseSelector;
  /** Who opens conversations; default: the user. */
  readonly firstSpeaker?: 'user' | 'agent';
  /** What a met ceiling does to its trial; default: error. */
  readonly onLimit?: 'error' | 'grade';
  readonly timeoutMs?: number;
  readonly maxSteps?: number;
  readonly maxErrored?: number;
  /** USD that the whole run may cost. */
  readonly maxCostUsd?: number;
  /** Under such a cap, also asks those of whom nobody knows what they cost. */
  readonly allowUnknownCost?: boolean;
  readonly seed?: number;
  readonly failFast?: boolean;
  /** Conditions on the whole run, as typed. */
  readonly gates?: readonly string[];
  /** A run that this one is compared with. */
  readonly baseline?: string;
  /** Token baselines of what is run are recorded anew. */
  readonly updateSnapshots?: boolean;
  /** Single failures count beside gates and baseline. */
  readonly strict?: boolean;
  /** The target that judges, over every other judge. */
  readonly judge?: string;
  readonly config?: string;
  /** Recorded calls of models. */
  readonly cassette?: Cassette;
}

/** Where calls of models are kept, and whether they are asked live. */
export interface Cassette {
  /** Relative to the working directory of the command. */
  readonly directory: string;
  readonly mode: 'record' | 'replay' | 'auto';
}

/** Which of many stored cases are meant; what is absent takes all, but for the status, and all that is there must fit. */
export interface CaseSelector {
  /** Statuses, or any; without one active cases. */
  readonly status?: readonly ('draft' | 'active' | 'archived' | 'any')[];
  readonly difficulty?: readonly ('normal' | 'hard')[];
  /** One of these. */
  readonly tagAny?: readonly string[];
  /** Each of these. */
  readonly tagAll?: readonly string[];
  /** A part of the name or of the description, ASCII letters in either case. */
  readonly search?: string;
  /** Ids or names. */
  readonly ids?: readonly string[];
}
