import * as z from 'zod';

import type { StoredAnswers, TargetPlugin, TargetServices } from '../core/plugin.ts';
import type { Session, World, Yielded } from '../core/target.ts';
import type { Transcript, TranscriptEntry } from '../core/transcript.ts';
import { unavailable } from './target-errors.ts';

const config = z.lazy(() =>
  z.strictObject({
    run: z
      .string()
      .min(1)
      .describe(
        'A run directory, a run id, a unique prefix of it, or `latest`; `RUN#TARGET` selects one target.',
      ),
  }),
);

export type ReplayConfig = z.infer<typeof config>;

/** Replays an agent's turns of a stored run. It has no cost, so usage is left out. */
export const replay: TargetPlugin<ReplayConfig> = {
  type: 'replay',
  isFree: true,
  version: 1,
  summary: 'answers from a stored run',
  config,
  runs: ({ run }) => [run],
  create: ({ run }, services) => {
    const stored = openOnce(run, services);
    return {
      prepare: async () => void (await stored()),
      open: async (world) => openReplay(run, await transcriptFor(run, await stored(), world)),
    };
  },
};

function openOnce(run: string, services: TargetServices): () => Promise<StoredAnswers> {
  let opened: Promise<StoredAnswers> | undefined;
  return () => (opened ??= services.storedRun(run));
}

async function transcriptFor(run: string, stored: StoredAnswers, { trial }: World): Promise<Transcript> {
  const { suite, caseId, repetition } = trial;
  const transcript = await stored.transcript({ suite, caseId, repetition });
  if (transcript !== undefined) return transcript;
  throw unavailable(`the run ${run} has no transcript for repetition ${repetition} of ${suite}/${caseId}`, {
    hint: 'replay a run with this trial, or leave out the case',
  });
}

function openReplay(run: string, transcript: Transcript): Session {
  const turns = agentTurns(transcript);
  let next = 0;
  return {
    async *respond(_message, signal) {
      signal.throwIfAborted();
      const said = turns[next] ?? [];
      next += 1;
      if (said.length === 0) {
        throw unavailable(`the stored transcript in ${run} has no answer in turn ${next}`, {
          hint: 'the case needs more turns than the stored conversation has; give the case fewer turns, or run the agent again',
        });
      }
      yield* said;
      return {};
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** The agent's turns in order; a turn without an answer is an empty one. */
function agentTurns(transcript: Transcript): readonly (readonly Yielded[])[] {
  const turns: Yielded[][] = [];
  for (const entry of transcript) {
    if (entry.type === 'message' && entry.role === 'user') turns.push([]);
    if (!isOfAgent(entry)) continue;
    if (turns.length === 0) turns.push([]);
    turns.at(-1)?.push(withoutPlace(entry));
  }
  return turns;
}

function isOfAgent(entry: TranscriptEntry): boolean {
  switch (entry.type) {
    case 'message':
      return entry.role === 'assistant';
    case 'tool-call':
    case 'tool-result':
      return true;
    case 'usage':
      return false;
    default:
      throw entry satisfies never;
  }
}

function withoutPlace(entry: TranscriptEntry): Yielded {
  const { id: _id, at: _at, turn: _turn, ...body } = entry;
  return body;
}
