import { settlesWithin } from '../../lib/process/settles-within.ts';
import type { Reply, Waiting } from './module-process.ts';

/** A reply of a kept process. Without `id` it is about the module, not about a question. */
export type NumberedReply = Reply & { readonly id?: number; readonly cancelled?: true };

/** The questions that a kept process has not answered yet. */
export interface Questions {
  /** Sends a question, whose input is JSON. */
  ask(input: string): { readonly id: number; readonly reply: Promise<Reply> };
  /** Settles the question that a reply answers, if it still waits. */
  answer(id: number, reply: NumberedReply): void;
  /** Withdraws a question, which then rejects. False: the process did not confirm it in time. */
  cancel(id: number, reason: unknown, isStuck: () => Promise<void>): Promise<void>;
  /** Rejects all of them. */
  fail(error: unknown): void;
}

/** Milliseconds in which a process must confirm that it cancelled a question; else it is stuck. */
const CANCEL_MS = 1_000;

export function openQuestions(push: (line: string) => void): Questions {
  const waiting = new Map<number, Waiting>();
  const confirms = new Map<number, () => void>();
  let asked = 0;
  const take = (id: number): Waiting | undefined => {
    const found = waiting.get(id);
    waiting.delete(id);
    return found;
  };
  return {
    ask: (input) => {
      const id = ++asked;
      const reply = new Promise<Reply>((resolve, reject) => waiting.set(id, { resolve, reject }));
      push(`{"id":${id},"input":${input}}`);
      return { id, reply };
    },
    answer: (id, reply) => {
      if (reply.cancelled === true) confirms.get(id)?.();
      else take(id)?.resolve(reply);
    },
    async cancel(id, reason, isStuck) {
      const question = take(id);
      if (question === undefined) return;
      const confirmed = new Promise<void>((resolve) => confirms.set(id, resolve));
      push(JSON.stringify({ cancel: id }));
      const isAlive = await settlesWithin(confirmed, CANCEL_MS);
      confirms.delete(id);
      if (!isAlive) await isStuck();
      question.reject(reason);
    },
    fail: (error) => {
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
      for (const confirm of confirms.values()) confirm();
    },
  };
}
