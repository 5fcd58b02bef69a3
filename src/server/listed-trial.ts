import type { Matrix } from '../api/resources/matrix.ts';
import type { TrialResource } from '../api/resources/trial.ts';
import type { QueryOf } from '../api/route.ts';
import type { Table } from '../api/table.ts';
import type { StoredRun } from '../core/run-store.ts';
import type { Row } from '../core/run.ts';
import type { TrialId } from '../core/trial.ts';
import type { Page } from './pages.ts';
import { trialResource } from './trial-resource.ts';

/** A trial without its long texts. */
export interface ListedTrial {
  readonly id: TrialId;
  readonly trial: TrialResource;
  /** Of each agent turn, milliseconds. */
  readonly latency: readonly number[];
  /** Names of the grades that did not pass. */
  readonly unpassed: readonly string[];
}

/** The filters and the page that a request asks for. */
export type TrialsAsked = QueryOf<Table['listTrials']>;

/** The trials of runs. A run with an index is asked; the others are cached, so that a page does not parse all rows. */
export interface TrialLists {
  page(run: StoredRun, asked: TrialsAsked): Promise<Page<TrialResource>>;
  /** Finds a trial by its number or key. Throws a refusal if it does not exist. */
  find(run: StoredRun, named: string): Promise<ListedTrial>;
  /** The trials of a case with a target, by repetition. */
  repetitions(run: StoredRun, of: TrialId): Promise<readonly TrialResource[]>;
  /** A page of cases with the marks of their trials, by target and repetition. */
  cases(run: StoredRun, asked: QueryOf<Table['getMatrix']>): Promise<Page<MarkedCase>>;
  /** All of them. */
  of(run: StoredRun): Promise<readonly ListedTrial[]>;
}

/** A case of a matrix. */
export interface MarkedCase extends Omit<Matrix['cases'][number], 'cells'> {
  readonly marks: readonly (Matrix['cases'][number]['cells'][number][number] & { readonly target: string })[];
}

export function listedTrial(row: Row): ListedTrial {
  const { suite, caseId, target, repetition } = row;
  return {
    id: { suite, caseId, target, repetition },
    trial: trialResource(row),
    latency: row.latency ?? [],
    unpassed: row.grades.flatMap(({ name, passed }) => (passed ? [] : name)),
  };
}
