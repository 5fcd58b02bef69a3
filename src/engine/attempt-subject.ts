import type { GradedWorkspace, SessionFacts, Subject } from '../core/grade.ts';
import type { AttemptArtifacts } from '../core/target.ts';
import { finalAnswer } from '../core/transcript.ts';
import type { Workspace } from '../core/workspace.ts';
import { given } from '../lib/given.ts';
import type { Attempt, Scene } from './attempt-scene.ts';
import type { Conversation } from './converse.ts';

/** What the graders of an attempt can see. */
export function subjectOf(attempt: Attempt, scene: Scene): Subject {
  const { conversation, workspace, artifacts, note } = scene;
  const { turns, steps, usage, costUsd, transcript, latency, world } = conversation;
  const durationMs = latency.reduce((sum, ms) => sum + ms, 0);
  const measures = { durationMs, latency, turns, steps, costUsd: costUsd ?? null };
  return {
    case: attempt.testCase,
    target: attempt.trial.target,
    runId: attempt.context.runId,
    repetition: attempt.trial.repetition,
    transcript,
    answer: finalAnswer(transcript),
    measures: usage === undefined ? measures : { ...measures, usage },
    session: sessionOf(conversation, artifacts),
    note,
    // Behind the others: spreads in between make an object slow.
    ...(attempt.settings.tellsToolCalls === true ? { tellsToolCalls: true } : {}),
    ...(world === undefined && workspace === undefined
      ? {}
      : given({ world, workspace: workspace && gradedIn(workspace) })),
  };
}

function gradedIn(workspace: Workspace): GradedWorkspace {
  return { ...workspace, directory: workspace.gradedDirectory?.() ?? workspace.directory };
}

/** What the target reported about its session besides the transcript. */
function sessionOf(
  { sessionId, artifacts: names, unknownEvents }: Conversation,
  artifacts: AttemptArtifacts,
): SessionFacts {
  const facts: { -readonly [Key in keyof SessionFacts]: SessionFacts[Key] } = {};
  if (Object.keys(unknownEvents).length > 0) facts.unknownEvents = unknownEvents;
  if (sessionId !== undefined) facts.id = sessionId;
  if (names.length > 0) facts.files = names.map((name) => `${artifacts.directory()}/${name}`);
  return facts;
}
