import { BudgetSpent, MeasurementError, messageOf } from '../core/errors.ts';
import type { Limits } from '../core/limits.ts';
import type { UserMessage } from '../core/message.ts';
import { costOfEntry, type Price } from '../core/price.ts';
import type { Fact, Row } from '../core/run.ts';
import type { MissedConnections } from '../core/missed-connections.ts';
import type { PastSession, TurnEnd, Yielded } from '../core/target.ts';
import type { WorldOutcome } from '../core/tools.ts';
import { tokensOf, type TranscriptEntry } from '../core/transcript.ts';
import { addUsage, type Usage } from '../core/usage.ts';
import type { User, UserTurn } from '../core/user.ts';
import { refuseDeep } from '../lib/text/json-depth.ts';
import type { ModelUse } from './trial-context.ts';
import type { StepBegan } from './steps.ts';
import type { HeardSession } from './tool-session.ts';
import type { Watch } from './watch.ts';

/** The results of a session, even if it did not end normally. */
export interface Conversation {
  readonly transcript: TranscriptEntry[];
  readonly latency: number[];
  /** Time in milliseconds that the target waited for assay, or assay for the end of its process. */
  heldMs: number;
  readonly notes: string[];
  readonly flags: string[];
  /** Model calls of users and their auditors. Those of graders are in their grades. */
  readonly modelUses: ModelUse[];
  turns: number;
  steps: number;
  /** The sum of the reported usage. */
  usage: Usage | undefined;
  /** Some usage was reported without tokens. */
  hasUnknownTokens: boolean;
  /** US dollars. Undefined if nothing was reported, null if a part is unknown. */
  costUsd: number | null | undefined;
  /** The session id of the target. */
  sessionId: string | undefined;
  end: Row['end'];
  /** The final state of its tools. */
  world: WorldOutcome | undefined;
  /** The replayed session of another run. */
  past: PastSession | undefined;
  /** Connections that programs in a sandbox did not get. */
  missed: MissedConnections;
  /** Where the kept answer comes from; undefined: the agent was asked. */
  cached: Row['cached'];
  /** Names of files that the target wrote to the directory of the attempt. */
  readonly artifacts: string[];
  /** Number of unknown events of the target, by type. */
  readonly unknownEvents: Record<string, number>;
}

export interface Talk {
  readonly session: HeardSession;
  readonly user: User;
  readonly watch: Watch;
  readonly limits: Limits;
  readonly price: Price | undefined;
  readonly now: () => number;
  /** Adds to the steps of the conversation. */
  readonly countSteps: (told: Yielded | StepBegan) => void;
  /** Called with the cost of an entry before the entry is emitted. */
  readonly spent?: ((usd: number) => void) | undefined;
  readonly tell: (fact: Fact) => void;
}

/** An empty conversation. */
export function newConversation(): Conversation {
  return {
    transcript: [],
    latency: [],
    heldMs: 0,
    notes: [],
    flags: [],
    modelUses: [],
    turns: 0,
    steps: 0,
    usage: undefined,
    hasUnknownTokens: false,
    costUsd: undefined,
    sessionId: undefined,
    end: undefined,
    world: undefined,
    past: undefined,
    missed: {},
    cached: undefined,
    artifacts: [],
    unknownEvents: {},
  };
}

/** Lets user and target take turns until one of them ends or the turn limit is reached. Throws if another limit is reached. */
export async function converse(talk: Talk, conversation: Conversation): Promise<void> {
  const take = entryTaker(talk, conversation);
  try {
    await takeTurns({ talk, conversation, take });
  } catch (error) {
    for (const entry of talk.session.unheard?.() ?? []) take(entry);
    throw error;
  }
}

async function takeTurns(asking: Asking): Promise<void> {
  const { talk, conversation, take } = asking;
  let turn: UserTurn = talk.user.speaksFirst ? await askUser(talk, conversation) : {};
  if (talk.user.speaksFirst && turn.message === undefined) throw nothingToSay();
  for (;;) {
    conversation.turns += 1;
    if (turn.message !== undefined) take({ type: 'message', role: 'user', parts: turn.message.parts });
    const ended = await askTarget(asking, turn.message);
    if (ended !== undefined) return endBy(conversation, 'agent', ended.reason);
    if (talk.limits.maxTurns !== null && conversation.turns >= talk.limits.maxTurns) {
      return endBy(conversation, 'cap', undefined);
    }
    if (turn.done !== undefined) return endBy(conversation, 'user', turn.done.reason);
    turn = await askUser(talk, conversation);
    if (turn.message !== undefined) continue;
    return turn.done === undefined
      ? endBy(conversation, 'script', undefined)
      : endBy(conversation, 'user', turn.done.reason);
  }
}

async function askUser(talk: Talk, conversation: Conversation): Promise<UserTurn> {
  talk.watch.asking('user');
  const turn = await talk.watch.bounded(nextOf(talk, conversation));
  if (turn.note !== undefined) takeNote(talk, conversation, turn.note);
  for (const flag of turn.flags ?? []) if (!conversation.flags.includes(flag)) conversation.flags.push(flag);
  return turn;
}

async function nextOf({ user, watch }: Talk, { transcript }: Conversation): Promise<UserTurn> {
  try {
    return await user.next(transcript, watch.signal);
  } catch (error) {
    if (error instanceof MeasurementError || error instanceof BudgetSpent) throw error;
    throw new MeasurementError(messageOf(error), { stage: 'user', kind: 'simulator', cause: error });
  }
}

function nothingToSay(): MeasurementError {
  const hint = 'add a first message to the case, or use --first-speaker agent';
  return new MeasurementError('the user sent no first message', {
    stage: 'user',
    kind: 'simulator',
    hint,
  });
}

interface Asking {
  readonly talk: Talk;
  readonly conversation: Conversation;
  readonly take: (yielded: Yielded) => void;
}

async function askTarget(asking: Asking, message: UserMessage | undefined): Promise<TurnEnd['ended']> {
  const { talk, conversation, take } = asking;
  const { watch } = talk;
  const startedAt = performance.now();
  const stepsBefore = conversation.steps;
  watch.asking('target');
  const entries = talk.session.respond(message, watch.signal);
  for (;;) {
    watch.signal.throwIfAborted();
    const next = await watch.bounded(entries.next());
    if (next.done !== true) {
      watch.pulse();
      take(next.value);
      if (!watch.signal.aborted) continue;
      const last = next.value.type === 'usage' ? await lastWord(entries, take) : undefined;
      if (last?.ended === undefined) throw watch.signal.reason;
      return endTurn(asking, startedAt, { ...last, stepsBefore });
    }
    return endTurn(asking, startedAt, { ...next.value, stepsBefore });
  }
}

/** Records the end of a turn. Returns the end of the conversation if there is one. */
function endTurn(
  { talk, conversation }: Asking,
  startedAt: number,
  end: TurnEnd & { readonly stepsBefore: number },
): TurnEnd['ended'] {
  const heldMs = talk.watch.heldMs();
  conversation.heldMs += heldMs;
  conversation.latency.push(Math.round(performance.now() - startedAt - heldMs));
  if (end.steps !== undefined) conversation.steps = end.stepsBefore + end.steps;
  for (const note of end.notes ?? []) takeNote(talk, conversation, note);
  conversation.sessionId = end.sessionId ?? conversation.sessionId;
  if (end.artifacts !== undefined) conversation.artifacts.push(...end.artifacts);
  if (end.unknownEvents !== undefined) countEvents(conversation.unknownEvents, end.unknownEvents);
  return end.ended;
}

function countEvents(sum: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [kind, count] of Object.entries(counts))
    sum[kind] = (Object.hasOwn(sum, kind) ? (sum[kind] ?? 0) : 0) + count;
}

/**
 * The rest of a turn that has already arrived when its usage reaches a limit. An end that the agent reported counts first.
 * Does not request anything further from the agent.
 */
async function lastWord(
  entries: AsyncGenerator<Yielded, TurnEnd>,
  take: (yielded: Yielded) => void,
): Promise<TurnEnd | undefined> {
  for (;;) {
    const atOnce = new Promise<undefined>((resolve) => setImmediate(resolve, undefined));
    const next = await Promise.race([entries.next().catch(() => undefined), atOnce]);
    if (next === undefined) return undefined;
    if (next.done === true) return next.value;
    take(next.value);
    if (next.value.type !== 'message' && next.value.type !== 'usage') return undefined;
  }
}

/** Adds time and turn to each entry, records it, and checks the sums against the limits. */
function entryTaker(talk: Talk, conversation: Conversation): (yielded: Yielded) => void {
  const turnOf = turnCounter(conversation);
  return (yielded) => {
    refuseDeep(yielded);
    const at = yielded.at ?? new Date(talk.now()).toISOString();
    const id = `e${conversation.transcript.length + 1}`;
    const turn = turnOf(yielded);
    const entry = entryOf({ id, at, turn }, yielded);
    conversation.transcript.push(entry);
    if (entry.type === 'usage') addSpending(talk, conversation, entry);
    talk.tell({ type: 'transcript-entry', entry });
    talk.countSteps(yielded);
    if (entry.type === 'message' && entry.role === 'user') return;
    talk.watch.reached({
      steps: conversation.steps,
      tokens: conversation.usage?.totalTokens ?? 0,
      costUsd: conversation.costUsd ?? 0,
    });
  };
}

/** Member by member where it is a plain message, as most are: objects made by a spread are slower to write. */
function entryOf(
  { id, at, turn }: Pick<TranscriptEntry, 'id' | 'at' | 'turn'>,
  yielded: Yielded,
): TranscriptEntry {
  if (yielded.type === 'message' && Object.keys(yielded).length === 3) {
    const { type, role, parts } = yielded;
    return { id, at, turn, type, role, parts };
  }
  const { at: _, ...body } = yielded;
  return { id, at, turn, ...body };
}

/** Counts turns from 1. A message starts a turn. Calls, results and usage belong to the turn of their answer. */
function turnCounter(conversation: Conversation): (yielded: Yielded) => number {
  let turn = 0;
  let answering = 0;
  return (yielded) => {
    if (yielded.type === 'message' && yielded.role === 'user') return ++turn;
    if (answering !== conversation.turns) {
      answering = conversation.turns;
      turn += 1;
    }
    return turn;
  };
}

/** Adds usage. Auxiliary requests add cost, but no tokens of the agent's loop. */
function addSpending(
  talk: Talk,
  conversation: Conversation,
  entry: TranscriptEntry & { type: 'usage' },
): void {
  const tokens = tokensOf(entry);
  if (entry.auxiliary !== true) {
    if (tokens === undefined) conversation.hasUnknownTokens = true;
    else conversation.usage = addUsage(conversation.usage, tokens);
  }
  const cost = costOfEntry(entry, talk.price);
  if (cost !== null) talk.spent?.(cost);
  const before = conversation.costUsd;
  conversation.costUsd = cost === null || before === null ? null : (before ?? 0) + cost;
}

function takeNote(talk: Talk, conversation: Conversation, text: string): void {
  conversation.notes.push(text);
  talk.tell({ type: 'note', text });
}

function endBy(
  conversation: Conversation,
  by: NonNullable<Row['end']>['by'],
  reason: string | undefined,
): void {
  conversation.end = reason === undefined ? { by } : { by, reason };
}
