import type { Subject } from '../../core/grade.ts';
import { textOf, type Message } from '../../core/message.ts';
import type { TestCase } from '../../core/test-case.ts';
import { finalAnswer, type EntryBody, type Transcript } from '../../core/transcript.ts';
import { given } from '../../lib/given.ts';

export interface ProofOf {
  readonly testCase: TestCase;
  readonly target: string;
  readonly workspace: Subject['workspace'] | undefined;
}

/** A subject without a trial: the question of a case, and these messages as the agent's answer. */
export function proofSubject(
  { testCase, target, workspace }: ProofOf,
  said: readonly Message[],
  { repetition, proof }: Required<Pick<Subject, 'repetition' | 'proof'>>,
): Subject {
  const asked: readonly EntryBody[] = [
    { type: 'message', role: 'user', parts: testCase.input.at(-1)?.parts ?? [] },
  ];
  const transcript = placed([...asked, ...said.flatMap(entriesOf)]);
  return {
    case: testCase,
    target,
    runId: 'verify-graders',
    repetition,
    proof,
    transcript,
    answer: finalAnswer(transcript),
    measures: { durationMs: 0, turns: 1, steps: 1, usage: NO_TOKENS, costUsd: 0 },
    ...given({ workspace }),
  };
}

/** The messages with a different final answer. */
export function withAnswer(said: readonly Message[], answer: string): readonly Message[] {
  return [...said.slice(0, -1), { role: 'assistant', parts: [{ text: answer }] }];
}

/** The final answer of the messages. */
export function answerOf(said: readonly Message[]): string {
  return textOf(said.at(-1)?.parts ?? []);
}

const NO_TOKENS = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

function entriesOf({ role, parts, toolCalls = [] }: Message, position: number): readonly EntryBody[] {
  if (role !== 'assistant') return [];
  return [
    ...toolCalls.flatMap(({ tool, input = {}, output, id, durationMs }, i): readonly EntryBody[] => {
      const callId = id ?? `call-${position + 1}-${i + 1}`;
      const call = { type: 'tool-call', callId, name: tool, input } as const;
      if (output === undefined && durationMs === undefined) return [call];
      const lasted = durationMs === undefined ? {} : { durationMs };
      return [call, { type: 'tool-result', callId, output: output ?? null, ...lasted }];
    }),
    ...(parts.length === 0 ? [] : [{ type: 'message' as const, role: 'assistant' as const, parts }]),
  ];
}

function placed(entries: readonly EntryBody[]): Transcript {
  return entries.map((entry, i) => ({
    ...entry,
    id: `e${i + 1}`,
    at: '1970-01-01T00:00:00.000Z',
    turn: 1,
    ...(entry.type === 'message' && entry.role === 'user' ? {} : { step: 1 }),
  }));
}
