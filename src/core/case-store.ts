import type { JsonObject } from '../lib/json.ts';
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

/** A case as a store has it. */
export interface KeptCase {
  /** A UUID in lower case. */
  readonly id: string;
  /** ISO 8601 with microseconds. */
  readonly createdAt: string;
  /** The same; later with every write of the case or of its mocks. */
  readonly updatedAt: string;
  readonly fields: CaseFields;
}

/** Where a page begins: behind this case. */
export type CaseCursor = Pick<KeptCase, 'id' | 'createdAt'>;

/** Stored test cases, in the order in which they were made. */
export interface CaseStore {
  /** At most `limit` cases behind a cursor. A case that `ids` names is taken whatever its status. */
  list(
    selector: CaseSelector,
    page: { readonly limit: number; readonly after?: CaseCursor | undefined },
  ): Promise<readonly KeptCase[]>;
  /** All of them as they are at one moment. */
  selected(selector: CaseSelector): Promise<readonly KeptCase[]>;
  /** The cases of this id or exact name. */
  called(idOrName: string): Promise<readonly KeptCase[]>;
  /** How many cases of any status have each tag, the most frequent first. */
  tags(): Promise<readonly { readonly tag: string; readonly cases: number }[]>;
  create(fields: CaseFields): Promise<KeptCase>;
  /** Replaces the fields of a case. `expected`: its `updatedAt`, else it is stale; absent: whatever it is now. */
  replace(id: string, fields: CaseFields, expected?: string): Promise<CaseWrite>;
  /** Its mocks in the order in which they are tried. */
  mocks(id: string): Promise<readonly ToolMock[]>;
  /** The mocks of many cases, by their ids. */
  mocksOf(ids: readonly string[]): Promise<ReadonlyMap<string, readonly ToolMock[]>>;
  /** Replaces them; `expected` as of `replace`. */
  replaceMocks(id: string, mocks: readonly ToolMock[], expected?: string): Promise<CaseWrite>;
  /** Writes all of the cases or none. */
  import(cases: readonly ImportedCase[], how: ImportChoice): Promise<ImportOutcome>;
}

/** What became of a write: the case as it is now, also where it is stale. */
export type CaseWrite =
  | { readonly outcome: 'written' | 'stale'; readonly case: KeptCase }
  | { readonly outcome: 'unknown' };

/** A case that is imported. */
export interface ImportedCase {
  /** Kept; absent: the store makes one. */
  readonly id?: string;
  readonly fields: CaseFields;
  /** The fields that the author wrote; the others are defaults. */
  readonly written: ReadonlySet<string>;
  /** Absent: its mocks stay. */
  readonly mocks?: readonly ToolMock[];
}

export interface ImportChoice {
  /** What becomes of a case that is there: `replace` with absent fields as defaults, `merge` only what is written. */
  readonly onConflict: 'error' | 'skip' | 'merge' | 'replace';
  /** By what a case is found. */
  readonly match: 'id' | 'name';
  /** Tells the outcome and writes nothing. */
  readonly isDryRun?: boolean;
}

export type ImportResult = 'created' | 'replaced' | 'merged' | 'unchanged' | 'skipped';

/** The outcome of each case, in their order; or the problems, and nothing is written. */
export type ImportOutcome =
  | {
      readonly items: readonly {
        /** Absent in a dry run of a case that the store would make the id of. */
        readonly id?: string;
        readonly result: ImportResult;
      }[];
    }
  | {
      readonly problems: readonly {
        /** Of the case, from 0. */
        readonly index: number;
        readonly code: 'case-exists' | 'ambiguous-name';
        readonly message: string;
      }[];
    };
