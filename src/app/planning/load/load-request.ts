import type { AskedCases } from '../../../authoring/stored/selector.ts';
import type { RunSpec } from '../../../core/run-spec.ts';
import type { RunOptions } from '../../../core/run-options.ts';
import type { CaseSource } from './case-source.ts';
import type { AskedAgents } from './load-agents.ts';
import type { Surroundings } from '../../surroundings.ts';

export interface LoadRequest {
  readonly options: Pick<RunOptions, 'patterns' | 'config' | 'judge' | 'stored'> &
    Partial<Pick<RunOptions, 'targets' | 'request'>> & { readonly select?: AskedCases };
  /** Ids of the suites to load; others are skipped. Absent: all. */
  readonly suites?: ReadonlySet<string> | undefined;
  /** Stored cases that are known already, such as those that a run has frozen. */
  readonly cases?: CaseSource | undefined;
  /** Agents of a run into the store that are chosen already. */
  readonly agents?: AskedAgents['agents'];
  /** Metrics of the config and of the store that are known already. */
  readonly metrics?: RunSpec['metrics'];
  readonly surroundings: Surroundings;
}
