import type { KeptHead, KeptWrite } from './kept-head.ts';
import type { KeyedAnswer, KeyEntry } from './idempotency-keys.ts';
import type { JsonObject } from '../lib/json.ts';
import type { ListSort } from './list-sort.ts';
import type { CaseSelector } from './run-options.ts';
import type { Difficulty, ToolMock } from './test-case.ts';

/** The fields of a stored test case, schema 1.0.0, under the names that files and the API give them. */
export interface CaseFields {
  readonly name: string;
  readonly description: string | null;
  readonly difficulty: Difficulty;
  readonly tags: readonly string[];
  readonly status: 'draft' | 'active' | 'archived';
  readonly persona: {
    readonly type: string;
    readonly description: string;
    readonly instructions: string;
  } | null;
  readonly initial_message: string | null;
  readonly user_context: JsonObject | null;
  readonly max_turns: number | null;
  readonly expected_outcomes: JsonObject | null;
  readonly expected_tool_calls:
    | readonly { readonly tool: string; readonly expected_params: JsonObject | null }[]
    | null;
  readonly evaluation_criteria_override: string | null;
}

/** A case with the data that the store adds. */
export interface KeptCase extends Pick<KeptHead, 'id' | 'createdAt' | 'updatedAt'> {
  readonly fields: CaseFields;
  /** Present where a set was selected. */
  readonly member?: {
    /** Greater for later members; may have gaps. */
    readonly position: number;
    /** At least 1; multiplies the repetitions of a run. */
    readonly repetitions: number;
  };
}

/** A case with its mocks, in the order in which they are tried. */
export interface CaseWithMocks extends KeptCase {
  readonly mocks: readonly ToolMock[];
}

/** Where a page begins: behind this case. */
export type CaseCursor = Pick<KeptCase, 'id' | 'createdAt' | 'member'> & {
  /** The value of the case in a list that is sorted by one. */
  readonly sorted?: string;
};

/** Stored test cases, in the order of the selected set, else in that in which they were made. */
export interface CaseStore {
  /** At most `limit` cases behind a cursor. A case that `ids` or `set` names is taken whatever its status. */
  list(
    selector: CaseSelector,
    page: {
      readonly limit: number;
      readonly after?: CaseCursor | undefined;
      /** Absent: the order of the store. */
      readonly sort?: ListSort | undefined;
    },
  ): Promise<readonly KeptCase[]>;
  /** All selected cases, in one consistent state. */
  selected(selector: CaseSelector): Promise<readonly KeptCase[]>;
  /** The same with their mocks, in parts, so that they need not fit in memory. `take` must not use the store. */
  takeWithMocks(
    selector: CaseSelector,
    take: (part: readonly CaseWithMocks[]) => Promise<void>,
  ): Promise<void>;
  /** The cases with this id or exact name. */
  called(idOrName: string): Promise<readonly KeptCase[]>;
  /** Whether a set that a selector names exists. */
  hasSet(idOrName: string): Promise<boolean>;
  /** All tags with their number of cases of any status, the most frequent first. */
  tags(): Promise<readonly { readonly tag: string; readonly cases: number }[]>;
  create(fields: CaseFields): Promise<KeptCase>;
  /** Replaces the fields of a case. If its `updatedAt` is not `expected`, the write is stale. Absent: always writes. */
  replace(id: string, fields: CaseFields, expected?: string): Promise<CaseWrite>;
  /** The mocks of a case, in the order in which they are tried. */
  mocks(id: string): Promise<readonly ToolMock[]>;
  /** The mocks of several cases, by case id. */
  mocksOf(ids: readonly string[]): Promise<ReadonlyMap<string, readonly ToolMock[]>>;
  /** Replaces the mocks of a case; `expected` as for `replace`. */
  replaceMocks(id: string, mocks: readonly ToolMock[], expected?: string): Promise<CaseWrite>;
  /** Imports all cases or none. */
  import(cases: readonly ImportedCase[], how: ImportChoice): Promise<ImportOutcome>;
}

export type CaseWrite = KeptWrite<'case', KeptCase>;

/** A case that is imported. */
export interface ImportedCase {
  /** Absent: the store creates one. */
  readonly id?: string;
  readonly fields: CaseFields;
  /** The fields that the author wrote; the others are defaults. */
  readonly written: ReadonlySet<string>;
  /** Absent: the stored mocks are kept. */
  readonly mocks?: readonly ToolMock[];
}

export interface ImportChoice {
  /** What to do with a case that exists: `replace` sets absent fields to defaults, `merge` changes only written fields. */
  readonly onConflict: 'error' | 'skip' | 'merge' | 'replace';
  /** The key by which an existing case is found. */
  readonly match: 'id' | 'name';
  /** Returns the outcome without writing anything. */
  readonly isDryRun?: boolean;
  /** Of a request with an `Idempotency-Key`: its answer is stored together with the cases. */
  readonly once?: ImportOnce | undefined;
}

/** The request of an import, and its answer. */
export interface ImportOnce {
  readonly entry: KeyEntry;
  answerOf(items: readonly ImportItem[]): KeyedAnswer;
}

export type ImportResult = 'created' | 'replaced' | 'merged' | 'unchanged' | 'skipped';

/** The outcome of one case. */
export interface ImportItem {
  /** Absent in a dry run, if the store would create the id. */
  readonly id?: string;
  readonly result: ImportResult;
}

/** The outcome of each case in the same order, or the problems if nothing was written. */
export type ImportOutcome =
  | { readonly items: readonly ImportItem[] }
  | {
      readonly problems: readonly {
        /** Position of the case, from 0. */
        readonly index: number;
        readonly code: 'case-exists' | 'ambiguous-name';
        readonly message: string;
      }[];
    };
