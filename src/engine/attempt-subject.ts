import type { SessionFacts, Subject } from '../core/grade.ts';
import type { AttemptArtifacts } from '../core/target.ts';
import { finalAnswer } from '../core/transcript.ts';
import { given } from '../lib/given.ts';
import type { Attempt, Scene } from './attempt-scene.ts';
import type { Conversation } from './converse.ts';

/** What the graders of an attempt can see. */
export function subjectOf(attempt: Attempt, scene: Scene): Subject {
  const { conversation, workspace, artifacts, note } = scene;
  const { turns, steps, usage, costUsd, transcript, latency, world } = conversation;
  return {
    case: attempt.testCase,
    target: attempt.trial.target,
    runId: attempt.parts.runId,
    repetition: attempt.trial.repetition,
    transcript,
    ...(attempt.settings.tellsToolCalls === true ? { tellsToolCalls: true } : {}),
    answer: finalAnswer(transcript),
    measures: {
      durationMs: latency.reduce((sum, ms) => sum + ms, 0),
      latency,
      turns,
      steps,
      costUsd: costUsd ?? null,
      ...given({ usage }),
    },
    ...given({ world, workspace }),
    session: sessionOf(conversation, artifacts),
    note,
  };
}

/** What the target reported about its session besides the transcript. */
function sessionOf(
  { sessionId, artifacts: names, unknownEvents }: Conversation,
  artifacts: AttemptArtifacts,
): SessionFacts {
  return {
    ...(Object.keys(unknownEvents).length === 0 ? {} : { unknownEvents }),
    ...given({ id: sessionId }),
    ...(names.length === 0 ? {} : { files: names.map((name) => `${artifacts.directory()}/${name}`) }),
  };
}
