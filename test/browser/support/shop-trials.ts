import type { Grade } from '../../../src/core/grade.ts';
import type { Emitted, Fact, Row } from '../../../src/core/run.ts';
import type { EntryBody, TranscriptEntry } from '../../../src/core/transcript.ts';
import { trialKey } from '../../../src/core/trial.ts';
import { usageOf } from '../../../src/core/usage.ts';
import { rowOf } from '../../../src/storage/run-directory/fixtures/runs.ts';

export const SUITE = 'support';

export const TARGETS = ['support-agent', 'support-agent-mini'];

/** Of cases and graders, by their places in `DIGESTS`. */
export const DIGESTS = ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => letter.repeat(64));

const TOPICS = [
  'refund of a damaged lamp',
  'refund after 40 days',
  'second refund of one order',
  'order that never arrived',
  'address change before shipping',
  'address change after shipping',
  'gift card with a wrong amount',
  'angry customer wants a manager',
  'question outside of the shop',
  'customer asks for another customer’s order',
  'order number with a typo',
  'cancel one of two items',
];

const TAGS = ['refund', 'delivery', 'safety'];

/** The cases of the suite, in its order. */
export const CASES = TOPICS.flatMap((topic) => [topic, `${topic}, in German`]);

/** One trial, by its place in the plan: each case on each target, twice. */
export interface Place {
  readonly caseAt: number;
  readonly targetAt: number;
  readonly repetition: number;
  readonly number: number;
}

export function places(targets: number, repetitions: number): readonly Place[] {
  const found: Place[] = [];
  for (const caseAt of CASES.keys()) {
    for (let targetAt = 0; targetAt < targets; targetAt++) {
      for (let repetition = 1; repetition <= repetitions; repetition++) {
        found.push({ caseAt, targetAt, repetition, number: found.length + 1 });
      }
    }
  }
  return found;
}

/** The row of a trial that was measured. */
export function measuredRow(
  { caseAt, targetAt, repetition, number }: Place,
  { isPassed, at }: { readonly isPassed: boolean; readonly at: string },
): Row {
  const agentMs = 900 + ((number * 373) % 2600) + targetAt * 700;
  const tokens = 1800 + ((number * 97) % 1400);
  return rowOf(CASES[caseAt] ?? '', {
    suite: SUITE,
    number,
    target: TARGETS[targetAt] ?? '',
    repetition,
    verdict: isPassed ? 'passed' : 'failed',
    status: isPassed ? 'passed' : 'failed',
    passed: isPassed,
    score: isPassed ? 1 : 0.55,
    fallenGates: isPassed ? [] : ['follows the refund policy'],
    grades: gradesOf(isPassed),
    output: 'I have issued the refund to your card; it takes three to five days.',
    durationMs: 2 * agentMs + 1400,
    latency: [agentMs, Math.round(agentMs * 0.6)],
    turns: 2,
    steps: 4,
    usage: {
      agent: usageOf(tokens, 240, { cacheReadTokens: 1024 }),
      user: usageOf(420, 60),
      judge: usageOf(1900, 180),
    },
    costUsd: { agent: tokens * 0.000004, user: 0.0006, judge: 0.0042 },
    tags: [TAGS[caseAt % TAGS.length] ?? '', ...(caseAt % 2 === 1 ? ['german'] : [])],
    difficulty: caseAt % 3 === 0 ? 'hard' : 'normal',
    flags: !isPassed && repetition === 2 ? ['repeats-itself'] : [],
    end: { by: 'user', reason: 'the goal is reached' },
    digests: { case: 0, target: 1 },
    startedAt: at,
    endedAt: at,
  });
}

function gradesOf(isPassed: boolean): readonly Grade[] {
  const policy: Grade = {
    name: 'follows the refund policy',
    type: 'llm-judge',
    score: isPassed ? 1 : 0.25,
    passed: isPassed,
    threshold: 0.8,
    weight: 2,
    required: 0.8,
    reason: isPassed
      ? 'The agent checks the order before it refunds, and names the time until the money arrives.'
      : 'The agent refunds although the order was refunded before, and does not tell the customer.',
    evidence: [
      { text: 'looks the order up before it acts', passed: true, turns: [2] },
      { text: 'refuses a second refund of one order', passed: isPassed, turns: [4] },
    ],
    model: 'judge-large',
    costUsd: 0.003,
    durationMs: 840,
    digest: 3,
  };
  return [
    {
      name: 'names the order',
      type: 'regex',
      score: 1,
      passed: true,
      weight: 1,
      reason: 'the answer matches /ORD-\\d{5}/',
      durationMs: 1,
      digest: 2,
    },
    policy,
    {
      name: 'polite and short',
      type: 'llm-judge',
      score: 0.9,
      passed: true,
      weight: 1,
      reason: 'Friendly, two sentences, no jargon.',
      model: 'judge-large',
      costUsd: 0.0012,
      durationMs: 610,
      digest: 4,
    },
  ];
}

/** The facts of a trial: two turns of each side, with a call that a planned fault let fail. */
export function factsOf(row: Row): readonly Emitted[] {
  const end: Emitted = {
    at: row.startedAt,
    trial: trialKey(row),
    attempt: 1,
    fact: { type: 'trial-end', row },
  };
  if (row.skipped !== undefined) return [end];
  let count = 0;
  const entry = (turn: number, body: EntryBody): Fact => ({
    type: 'transcript-entry',
    entry: { id: `e${(count += 1)}`, at: row.startedAt, turn, ...body } as TranscriptEntry,
  });
  const said = (role: 'user' | 'assistant', text: string): EntryBody => ({
    type: 'message',
    role,
    parts: [{ text }],
  });
  const facts: readonly Fact[] = [
    { type: 'trial-start', number: row.number },
    { type: 'attempt-start' },
    entry(1, said('user', `Hello, I want my money back for order ORD-48213. The lamp arrived broken.`)),
    entry(2, {
      ...said('assistant', 'The customer names an order. I look it up first.'),
      phase: 'thinking',
    } as EntryBody),
    entry(2, { type: 'tool-call', callId: 'c1', name: 'lookup_order', input: { order_id: 'ORD-48213' } }),
    entry(2, {
      type: 'tool-result',
      callId: 'c1',
      output: {
        order_id: 'ORD-48213',
        status: 'delivered',
        item: 'desk lamp',
        paid_usd: 39.9,
        refunded: true,
      },
      durationMs: 84,
    }),
    entry(2, {
      type: 'tool-call',
      callId: 'c2',
      name: 'issue_refund',
      input: { order_id: 'ORD-48213', amount_usd: 39.9 },
    }),
    entry(2, {
      type: 'tool-result',
      callId: 'c2',
      output: { error: 'timed out after 5 s' },
      failed: true,
      fault: 'timeout',
      durationMs: 5000,
    }),
    entry(
      2,
      said(
        'assistant',
        'I am sorry about the lamp. I found order ORD-48213; the refund did not go through at once.',
      ),
    ),
    entry(3, said('user', 'Then please try it again, I need the money this week.')),
    entry(4, {
      type: 'tool-call',
      callId: 'c3',
      name: 'issue_refund',
      input: { order_id: 'ORD-48213', amount_usd: 39.9 },
    }),
    entry(4, {
      type: 'tool-result',
      callId: 'c3',
      output: { refund_id: 'RF-2201', state: 'accepted' },
      durationMs: 212,
    }),
    entry(4, said('assistant', typeof row.output === 'string' ? row.output : '')),
    entry(4, { type: 'usage', model: 'agent-model-1', ...usageOf(1800, 240), costUsd: 0.0072 }),
    { type: 'attempt-end', durationMs: row.durationMs },
    { type: 'trial-end', row },
  ];
  return facts.map((fact) => ({
    at: row.startedAt,
    trial: trialKey(row),
    attempt: row.attempts.length,
    fact,
  }));
}
