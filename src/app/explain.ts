import { given } from '../lib/given.ts';
import { EXIT } from './exit-code.ts';
import type { Screen } from '../core/log.ts';
import type { ClaimedAttempt } from '../core/run-store.ts';
import type { World } from '../core/target.ts';
import { trialKey } from '../core/trial.ts';
import { askQuestion } from './explain/ask-question.ts';
import { redactorFor, secretsOf } from './binding/redactor.ts';
import { readExplainFile, readRounds, writeRounds, type Answer, type Round } from './explain/explanations.ts';
import type { ExplainFile } from './running/code-suites/explain-file.ts';
import { answerText, roundsText } from './explain/explain-text.ts';
import { findExplained } from './explain/find-explain.ts';
import { openModels } from './binding/models.ts';
import { openExplained, type OpenExplained } from './explain/open-explained.ts';
import { returnWorkspace, type ReturnedWorkspace } from './explain/return-workspace.ts';
import type { Surroundings } from './surroundings.ts';
import { runSettings } from '../authoring/config/run-settings.ts';
import { storedAnswers } from './binding/stored-answers.ts';
import { openTargetPool } from './binding/target-pool.ts';
import { runsIn } from './runs.ts';

export interface ExplainRequest {
  /** The folder of an attempt, or a folder that contains exactly one. */
  readonly directory: string;
  /** Asks questions again that already have an answer. */
  readonly asksAgain: boolean;
  /** Whether code of another project's run may be executed. */
  readonly isTrusted: boolean;
}

export interface ExplainPlace {
  readonly screen: Screen;
  readonly surroundings: Surroundings;
  /** When aborted: ask no more questions. */
  readonly signal: AbortSignal;
  /** Asks a person for confirmation. Absent without a terminal. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
}

/** Asks the agent of a failed attempt the questions of its assertions. Returns the exit code. */
export async function explainAttempt(request: ExplainRequest, place: ExplainPlace): Promise<number> {
  const { screen, surroundings } = place;
  const attempt = findExplained(request.directory, surroundings.cwd);
  const file = readExplainFile(attempt);
  const earlier = readRounds(attempt);
  if (!request.asksAgain && earlier.some(({ answers }) => answers.length > 0)) {
    screen.write(roundsText(file, earlier));
    return codeOf(file, earlier.at(-1));
  }
  const explained = await openExplained(attempt, file, {
    surroundings,
    trust: { isTrusted: request.isTrusted, confirm: place.confirm },
  });
  const claimed = await explained.claim();
  try {
    // Another process may have asked in the meantime.
    const round = await askAll({ ...explained, attempt, file, claimed, earlier: readRounds(attempt) }, place);
    return codeOf(file, round);
  } finally {
    claimed.release();
  }
}

function codeOf({ questions }: ExplainFile, round: Round | undefined): number {
  const answers = round?.answers ?? [];
  const isWhole = answers.length === questions.length && answers.every(({ error }) => error === undefined);
  return isWhole ? EXIT.ok : EXIT.invalid;
}

interface Explained extends OpenExplained {
  /** Absolute path of the attempt's folder. */
  readonly attempt: string;
  readonly file: ExplainFile;
  readonly claimed: ClaimedAttempt;
  readonly earlier: readonly Round[];
}

async function askAll(explained: Explained, { screen, surroundings, signal }: ExplainPlace): Promise<Round> {
  const { attempt, file, earlier, claimed, manifest, loaded, use } = explained;
  const { settings: run } = runSettings(loaded);
  const redactor = redactorFor(secretsOf(loaded, [use], run.redact));
  const { cwd } = manifest;
  await using pool = openTargetPool({
    runId: manifest.id,
    targets: use.targets,
    directory: loaded.directory,
    models: openModels({ loaded, cassette: undefined, cwd, seed: manifest.seed, redactor }),
    storedRun: (reference) => storedAnswers(reference, runsIn(run.outputDir, { ...surroundings, cwd })),
  });
  await using workspace = await returnWorkspace(explained.directory, explained.kept);
  const target = await pool.prepared(file.targetId, signal);
  const number = earlier.length + 1;
  const answers: Answer[] = [];
  const round = { startedAt: new Date(surroundings.now()).toISOString(), answers };
  writeRounds(attempt, [...earlier, round]);
  for (const [index, asked] of file.questions.entries()) {
    const artifactDir = `explain/round-${number}/question-${String(index + 1).padStart(2, '0')}`;
    const artifacts = claimed.artifacts(artifactDir, redactor);
    const world = { ...worldOf(explained, workspace), artifacts };
    const question = { target, world, question: asked.question };
    const said = await askQuestion(question, signal).finally(() => artifacts.close());
    const answer: Answer = {
      ...asked,
      ...(said.answer === undefined ? {} : { answer: redactor.text(said.answer) }),
      ...(said.error === undefined ? {} : { error: redactor.text(said.error) }),
      durationMs: said.durationMs,
      artifactDir,
    };
    answers.push(answer);
    writeRounds(attempt, [...earlier, round]);
    screen.write(answerText(answer, index + 1));
  }
  return round;
}

function worldOf(
  { manifest, file, session }: Explained,
  { directory, isForeign }: ReturnedWorkspace,
): Omit<World, 'marker' | 'pulse' | 'history' | 'artifacts'> {
  const { attempt, suite, caseId, targetId: target, repetition } = file;
  const key = trialKey({ suite, caseId, target, repetition });
  const { id: runId, seed } = manifest;
  return {
    trial: { runId, key, attempt, suite, caseId, target, repetition, seed },
    workspace: { directory, ...given({ isForeign }) },
    resumes: session,
  };
}
