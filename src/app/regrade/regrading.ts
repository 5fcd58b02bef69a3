import { DEFAULT_LIMITS } from '../../core/limits.ts';
import type { Row } from '../../core/run.ts';
import type { StoredTrial } from '../../core/run-store.ts';
import type { AttemptArtifacts, PastSession, Session } from '../../core/target.ts';
import type { TestCase } from '../../core/test-case.ts';
import { trialKey } from '../../core/trial.ts';
import type { EventStream } from '../../engine/event-stream.ts';
import type { RunOne } from '../../engine/run-schedule.ts';
import type {
  ConcludedAttempt,
  EndedAttempt,
  TrialContext,
  PlannedTrial,
} from '../../engine/trial-context.ts';
import { runTrial } from '../../engine/run-trial.ts';
import { pastTrial, type PastReading, type PastTrial } from './past-trials.ts';

/** Everything needed to grade the trials of a stored run. */
export interface StoredGrading extends PastReading, Pick<TrialContext, 'graderFor'> {
  takes(row: Row): boolean;
  /** Makes the final decision about an attempt. */
  conclude(ended: EndedAttempt): ConcludedAttempt;
  thresholdOf(testCase: TestCase): number;
  /** Whether that target of the source reported all tool calls. */
  tellsToolCalls(target: string): boolean;
  readonly source: Pick<TrialContext, 'runId' | 'seed'>;
}

/** The trials of a stored run as a run with replayed sessions. Only running trials are in memory. */
export interface Regrading {
  readonly context: TrialContext;
  trials(): AsyncGenerator<PlannedTrial>;
  readonly runOne: RunOne;
}

export function regrading(
  stored: AsyncIterable<StoredTrial>,
  grading: StoredGrading,
  { emit, settle, now }: Pick<EventStream, 'emit' | 'settle'> & Pick<TrialContext, 'now'>,
): Regrading {
  const open = new Map<string, PastTrial>();
  const opened = (key: string): PastTrial => {
    const trial = open.get(key);
    if (trial === undefined) throw new Error(`the trial ${key} is not being graded`);
    return trial;
  };
  const context: TrialContext = {
    ...grading.source,
    now,
    emit,
    settle,
    marker: () => '',
    caseOf: ({ key }) => opened(key).testCase,
    settingsFor: (testCase, target) => ({
      limits: UNLIMITED,
      threshold: grading.thresholdOf(testCase),
      retryInfrastructure: 0,
      tellsToolCalls: grading.tellsToolCalls(target),
    }),
    target: async () => ({ open: async ({ trial }) => replayed(opened(trial.key).past) }),
    userFor: () => ({ speaksFirst: true, next: neverCalled }),
    graderFor: grading.graderFor,
    workspaces: { prepare: async (_, { trial }) => opened(trial.key).workspace },
    conclude: async (ended) => {
      const { durationMs } = opened(trialKey(ended.trial)).past.row;
      return grading.conclude({ ...ended, durationMs });
    },
    artifacts: ({ key }) => storedArtifacts(grading.placeOf(opened(key).past.row.artifactDir ?? '')),
  };
  return {
    context,
    trials: async function* () {
      for await (const each of stored) {
        if (!grading.takes(each.row)) continue;
        const past = await pastTrial(each, grading);
        open.set(past.trial.key, past);
        yield past.trial;
      }
    },
    runOne: (trial, signal) => runTrial(trial, context, signal).finally(() => open.delete(trial.key)),
  };
}

const UNLIMITED = { ...DEFAULT_LIMITS, timeoutMs: null, turnTimeoutMs: null };

function replayed(past: PastSession): Session {
  return { past, respond: neverCalled, async [Symbol.asyncDispose]() {} };
}

function neverCalled(): never {
  throw new Error('a replayed session must not be called');
}

/** The artifacts of the source, which do not change. */
function storedArtifacts(place: string): AttemptArtifacts {
  return {
    directory: () => place,
    scratch: neverCalled,
    takeOver: () => {},
    write: () => Promise.resolve(),
    stream: neverCalled,
    close: () => Promise.resolve({ notes: [] }),
  };
}
