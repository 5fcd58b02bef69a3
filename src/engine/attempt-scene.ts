import { addMissed, type MissedConnection } from '../core/missed-connections.ts';
import type { AttemptArtifacts, SessionState, World } from '../core/target.ts';
import type { TestCase } from '../core/test-case.ts';
import { openingOf } from '../core/user.ts';
import type { Workspace } from '../core/workspace.ts';
import { given } from '../lib/given.ts';
import { newConversation, type Conversation } from './converse.ts';
import type { TrialContext, PlannedTrial, TrialSettings } from './trial-context.ts';
import { tell } from './tell.ts';

export interface Attempt {
  readonly trial: PlannedTrial;
  readonly testCase: TestCase;
  readonly settings: TrialSettings;
  readonly number: number;
  /** Whether another attempt follows if this one fails for a transient reason. */
  readonly mayRepeat: boolean;
  readonly context: TrialContext;
  readonly signal: AbortSignal;
}

/** The resources of an attempt. They are added during the attempt and released at its end. */
export interface Scene {
  readonly artifacts: AttemptArtifacts;
  readonly conversation: Conversation;
  /** Notes of graders and workspaces. */
  readonly notes: readonly string[];
  /** Adds a note to the log, and to the row if that is not written yet. */
  readonly note: (text: string) => void;
  /** Undefined before it is prepared, or if the case needs no workspace. */
  readonly workspace: Workspace | undefined;
  /** The state that the session handed over. */
  readonly state: SessionState | undefined;
  /** What the target can see. */
  readonly world: World;
  /** Starts the agent's time. Waiting for a shared workspace does not count. */
  readonly enter: (workspace: Workspace | undefined) => void;
  /** Without the time that was held. */
  readonly durationMs: () => number;
}

export function setScene(attempt: Attempt): Scene {
  const notes: string[] = [];
  const artifacts = attempt.context.artifacts(attempt.trial, attempt.number);
  const conversation = newConversation();
  let startedAt = performance.now();
  const note = (text: string): void => {
    notes.push(text);
    tell(attempt, { type: 'note', text });
  };
  const scene = {
    artifacts,
    conversation,
    notes,
    note,
    workspace: undefined as Workspace | undefined,
    state: undefined as SessionState | undefined,
    world: {
      ...worldOf(attempt, artifacts),
      leftFile: (name: string) => void scene.conversation.artifacts.push(name),
      handOver: (state: SessionState) => void (scene.state = state),
      missed: (connection: MissedConnection) => {
        conversation.missed = addMissed(conversation.missed, connection);
      },
      note,
    } as World,
    enter: (workspace: Workspace | undefined) => {
      startedAt = performance.now();
      scene.workspace = workspace;
      if (workspace !== undefined) scene.world = { ...scene.world, workspace: seenOf(workspace) };
    },
    durationMs: () => Math.round(performance.now() - startedAt - conversation.heldMs),
  };
  return scene;
}

function worldOf({ trial, testCase, context, number }: Attempt, artifacts: AttemptArtifacts): World {
  return {
    trial: {
      runId: context.runId,
      key: trial.key,
      attempt: number,
      suite: trial.suite,
      caseId: trial.caseId,
      target: trial.target,
      repetition: trial.repetition,
      seed: context.seed,
    },
    history: openingOf(testCase).history,
    ...given({ vars: testCase.vars }),
    artifacts,
    marker: context.marker(),
    pulse: () => {},
  };
}

function seenOf({ directory, isForeign }: Workspace): NonNullable<World['workspace']> {
  return { directory, ...given({ isForeign }) };
}
