import type { AttemptArtifacts, SessionState, World } from '../core/target.ts';
import type { TestCase } from '../core/test-case.ts';
import { openingOf } from '../core/user.ts';
import type { Workspace } from '../core/workspace.ts';
import { given } from '../lib/given.ts';
import { newConversation, type Conversation } from './converse.ts';
import type { Parts, PlannedTrial, TrialSettings } from './parts.ts';
import { tell } from './tell.ts';

export interface Attempt {
  readonly trial: PlannedTrial;
  readonly testCase: TestCase;
  readonly settings: TrialSettings;
  readonly number: number;
  /** An attempt that fails for a passing reason is made again. */
  readonly mayRepeat: boolean;
  readonly parts: Parts;
  readonly signal: AbortSignal;
}

/** What an attempt plays in; it fills while the attempt goes on, and is put away at its end. */
export interface Scene {
  readonly artifacts: AttemptArtifacts;
  readonly conversation: Conversation;
  /** What graders and workspaces noted. */
  readonly notes: readonly string[];
  /** In the log at once, and in the row when that is not written yet. */
  readonly note: (text: string) => void;
  /** Absent before it is prepared, and where the case needs none. */
  readonly workspace: Workspace | undefined;
  /** What the session handed over of itself. */
  readonly state: SessionState | undefined;
  /** What the target gets to see. */
  readonly world: World;
  /** The agent's time begins: waiting for a shared workspace is none of its work. */
  readonly enter: (workspace: Workspace | undefined) => void;
  /** Without what was held. */
  readonly durationMs: () => number;
}

export function setScene(attempt: Attempt): Scene {
  const notes: string[] = [];
  const artifacts = attempt.parts.artifacts(attempt.trial, attempt.number);
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
      left: (name: string) => void scene.conversation.artifacts.push(name),
      handOver: (state: SessionState) => void (scene.state = state),
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

function worldOf({ trial, testCase, parts, number }: Attempt, artifacts: AttemptArtifacts): World {
  return {
    trial: {
      runId: parts.runId,
      key: trial.key,
      attempt: number,
      suite: trial.suite,
      caseId: trial.caseId,
      target: trial.target,
      repetition: trial.repetition,
      seed: parts.seed,
    },
    history: openingOf(testCase).history,
    artifacts,
    marker: parts.marker(),
    pulse: () => {},
  };
}

function seenOf({ directory, isForeign }: Workspace): NonNullable<World['workspace']> {
  return { directory, ...given({ isForeign }) };
}
