import { randomUUID } from 'node:crypto';

import type { Part } from '../../core/message.ts';
import type { Session, World } from '../../core/target.ts';
import { given } from '../../lib/given.ts';
import { sha256 } from '../../lib/digest.ts';
import type { JsonValue } from '../../lib/json.ts';
import { contentOf } from '../inline-files.ts';
import { givenPrompt } from '../given-prompt.ts';
import { wireMessages } from '../wire-messages.ts';
import type { HttpConfig } from './config.ts';
import type { Call } from './exchange.ts';
import type { MissedByServer } from './missed-by-server.ts';
import { readReply } from './reply.ts';

/** What a conversation needs from its target. */
export interface Line {
  readonly config: HttpConfig;
  /** Absolute folder for shown paths of files. */
  readonly directory: string;
  /** The prompt under test. */
  readonly prompt?: string;
  post(call: Call, signal: AbortSignal): Promise<Buffer>;
  /** Asks its server for one attempt. */
  readonly during: MissedByServer['during'];
}

/** One conversation; each turn is one request. */
export function openConversation({ config, directory, prompt, post, during }: Line, world: World): Session {
  const { trial, history, workspace, pulse, hold, missed } = world;
  const roots = workspace === undefined ? [directory] : [workspace.directory, directory];
  const content = (parts: readonly Part[]): Promise<JsonValue> =>
    contentOf(parts, { roots, images: config.images });
  const sessionId = randomUUID();
  const { apart, opening } = givenPrompt({ prompt, role: config.promptRole }, world);
  const messages: unknown[] = [];
  let turns = 0;
  let steps = 0;

  return {
    async *respond(message, signal) {
      if (turns === 0 && history.length > 0) messages.push(...(await wireMessages(history, content)));
      const parts = (turns === 0 ? opening(message) : message)?.parts;
      if (parts !== undefined) messages.push({ role: 'user', content: await content(parts) });
      const body = JSON.stringify({
        messages: config.history === 'last' ? messages.slice(-1) : messages,
        metadata: {
          run_id: trial.runId,
          trial: trial.key,
          test_case_id: trial.caseId,
          repetition: trial.repetition,
          turn_index: turns,
          session_id: sessionId,
          ...given({ prompt: apart }),
        },
      });
      const idempotencyKey = sha256(`${trial.runId}\n${trial.key}\n${trial.attempt}\n${turns}`).slice(0, 32);
      const call = { body, idempotencyKey, onByte: pulse, hold };
      const reply = readReply(await during(missed, () => post(call, signal)), steps);
      turns += 1;
      steps += reply.messages.filter(({ role }) => role === 'assistant').length;
      messages.push(...reply.messages);
      yield* reply.entries;
      return reply.ended === undefined ? { sessionId } : { sessionId, ended: reply.ended };
    },
    async [Symbol.asyncDispose]() {},
  };
}
