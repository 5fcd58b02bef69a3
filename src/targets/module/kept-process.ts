import { randomUUID } from 'node:crypto';

import { MeasurementError } from '../../core/errors.ts';
import { lineSplitter } from '../../lib/process/lines.ts';
import { runProcess } from '../../lib/process/run-process.ts';
import { lineQueue } from '../../lib/process/line-queue.ts';
import { deathOf, hostOf, replyIn, type ModuleSpec, type Reply } from './module-process.ts';
import { openQuestions, type NumberedReply } from './questions.ts';

/** A process that answers the questions of many sessions at once. */
export interface KeptProcess {
  /** Its first reply: that it is ready, or why the module cannot be used. Rejects when it has ended before. */
  readonly ready: Promise<Reply>;
  isOver(): boolean;
  /** Input as JSON. Rejects when the process ends. */
  ask(input: string): Question;
  /** Resolves when it has ended. */
  end(reason: unknown): Promise<void>;
  /** Resolves when it has ended, if it is ending. */
  settled(): Promise<void>;
}

export interface Question {
  readonly reply: Promise<Reply>;
  /** Withdraws it. A process that does not react is ended. */
  cancel(reason: unknown): Promise<void>;
}

export interface KeptSettings {
  readonly target: string;
  /** Of the attempt for which it is started. */
  readonly marker: string;
  readonly onStderr: (chunk: Uint8Array) => void;
}

export function startKeptProcess(spec: ModuleSpec, settings: KeptSettings): KeptProcess {
  const { target } = settings;
  const word = randomUUID();
  const stop = new AbortController();
  const requests = lineQueue();
  const questions = openQuestions(requests.push);
  let begin = (reply: Reply): void => void reply;
  let refuse = (error: unknown): void => void error;
  const ready = new Promise<Reply>((resolve, reject) => {
    begin = resolve;
    refuse = reject;
  });
  let failure: { readonly error: unknown } | undefined;
  const fail = (error: unknown): void => {
    failure = { error };
    requests.close();
    questions.fail(error);
    refuse(error);
  };
  const hear = (reply: NumberedReply): void => {
    if (reply.id !== undefined) return questions.answer(reply.id, reply);
    begin(reply);
    if (!('ready' in reply)) stop.abort(new Error('the module cannot be used'));
  };
  const gone = run(spec, { ...settings, word, stdin: requests.lines, hear, stop }).then(
    (result) => fail(stop.signal.aborted ? stop.signal.reason : deathOf(result, spec, target)),
    fail,
  );
  // Sessions that wait for it are rejected themselves.
  ready.catch(() => {});
  const end = async (reason: unknown): Promise<void> => {
    stop.abort(reason);
    await gone;
  };
  return {
    ready,
    isOver: () => failure !== undefined || stop.signal.aborted,
    ask: (input) => {
      if (failure !== undefined) return { reply: Promise.reject(failure.error), cancel: async () => {} };
      const { id, reply } = questions.ask(input);
      const isStuck = async () => await end(stuck(spec, target));
      return { reply, cancel: async (reason) => await questions.cancel(id, reason, isStuck) };
    },
    end,
    settled: async () => {
      if (stop.signal.aborted) await gone;
    },
  };
}

interface Running extends KeptSettings {
  readonly word: string;
  readonly stdin: AsyncIterable<string>;
  readonly hear: (reply: NumberedReply) => void;
  readonly stop: AbortController;
}

function run(spec: ModuleSpec, { target, marker, onStderr, word, stdin, hear, stop }: Running) {
  const lines = lineSplitter(spec.maxOutputBytes);
  let unanswered = 0;
  /** What it prints between two answers is limited. */
  const count = (chunk: Uint8Array): void => {
    unanswered += chunk.length;
    if (unanswered > spec.maxOutputBytes) stop.abort(tooMuch(spec, target));
  };
  return runProcess(
    {
      ...hostOf(spec, [word, 'kept'], marker),
      stdin,
      maxOutputBytes: Infinity,
      onStdout: (chunk) => {
        count(chunk);
        for (const { text } of lines.push(chunk)) {
          if (!text.startsWith(`${word} `)) continue;
          unanswered = 0;
          hear(replyIn(text.slice(word.length + 1)));
        }
      },
      onStderr: (chunk) => {
        onStderr(chunk);
        count(chunk);
      },
    },
    stop.signal,
  );
}

function stuck({ path }: ModuleSpec, target: string): MeasurementError {
  const message = `the module of target ${target} did not react to the end of another session and was ended`;
  const hint = `do not block the event loop in ${path}, or use \`isolate: trial\``;
  return new MeasurementError(message, { stage: 'target', kind: 'runner-crash', hint });
}

function tooMuch({ path, maxOutputBytes }: ModuleSpec, target: string): MeasurementError {
  const message = `the module of target ${target} printed more than ${maxOutputBytes} bytes and was ended`;
  return new MeasurementError(message, { stage: 'target', kind: 'runner-crash', hint: `correct ${path}` });
}
