import type { Row, RowDigests } from './run.ts';
import type { TestCase } from './test-case.ts';
import type { WorldOutcome } from './tools.ts';
import type { Transcript } from './transcript.ts';
import type { Trial } from './trial.ts';
import type { Usage } from './usage.ts';

/** A complete conversation of an earlier run, with what was measured of it. */
export interface KeptAnswer
  extends Pick<Row, 'turns' | 'steps' | 'end'>, Required<Pick<Row, 'latency' | 'flags'>> {
  /** The run that asked the agent, and when the conversation ended. */
  readonly from: NonNullable<Row['cached']>;
  readonly transcript: Transcript;
  readonly usage?: Usage;
  readonly hasUnknownTokens: boolean;
  readonly unknownEvents: Readonly<Record<string, number>>;
  /** US dollars. Null when a part is unknown. */
  readonly costUsd?: number | null;
  readonly world?: WorldOutcome;
}

/** A trial, as far as its answer depends on it. */
export type AnsweredTrial = Trial & { readonly digests: RowDigests };

/** Answers of agents that are kept between runs. */
export interface KeptAnswers {
  find(trial: AnsweredTrial, testCase: TestCase): KeptAnswer | undefined;
  keep(trial: AnsweredTrial, testCase: TestCase, answer: KeptAnswer): void;
  /** Called when an answer is not kept, because the agent changed files that the cache does not have. */
  leaveOut(trial: AnsweredTrial): void;
}
