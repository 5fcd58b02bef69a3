import type { AnsweredCall, Session, ToolCall, ToolWorld, World, Yielded } from '../core/target.ts';
import { isAnswer } from '../core/transcript.ts';
import { given } from '../lib/given.ts';
import { jsonEqual } from '../lib/json.ts';

/** What the tools of an attempt add to the world that its target gets. */
export function offered({ tools, mcp, call }: ToolWorld): Pick<World, 'tools' | 'call' | 'mcp'> {
  return { tools, call, ...given({ mcp }) };
}

/** A session with tools, which may break off before it has told of calls that the world answered. */
export interface HeardSession extends Session {
  /** Those calls and their results; asked once, when the session has broken off. */
  unheard?(): Iterable<Yielded>;
}

/** What the world knows of the calls of a session stands in its transcript. */
export function throughTools(
  session: Session,
  tools: ToolWorld | undefined,
  { tellsToolCalls }: { readonly tellsToolCalls?: boolean },
): HeardSession {
  if (tools === undefined) return session;
  const untold = untoldCalls(tools);
  const heard = withTools(session, tools, untold);
  return tellsToolCalls === true ? heard : withUntold(heard, untold);
}

/** Calls that only the world has told of; of `open` ones the target has told, and not how they were answered. */
type UntoldCalls = (open?: Map<string, ToolCall>) => Generator<Yielded>;

function untoldCalls(world: ToolWorld): UntoldCalls {
  let count = 0;
  return function* (open = new Map()) {
    for (const { name, input, ...answer } of world.untold()) {
      const known = idOf({ name, input }, open);
      const callId = known ?? `tools-${++count}`;
      open.delete(callId);
      if (known === undefined) yield { type: 'tool-call', callId, name, input };
      yield { type: 'tool-result', callId, ...answer };
    }
  };
}

function idOf(
  { name, input }: Pick<AnsweredCall, 'name' | 'input'>,
  open: ReadonlyMap<string, ToolCall>,
): string | undefined {
  return [...open].find(([, call]) => call.name === name && jsonEqual(call.input, input))?.[0];
}

/**
 * A session whose transcript names the tools as they are declared and tells what only the world knows of a call, and
 * which ends with a terminating tool however the target came to call it.
 */
function withTools(session: Session, world: ToolWorld, untold: UntoldCalls): HeardSession {
  const open = new Map<string, ToolCall>();
  const told = (entry: Yielded): Yielded => {
    if (entry.type === 'tool-call') {
      const name = world.nameOf(entry.name);
      open.set(entry.callId, { name, input: entry.input });
      return { ...entry, name };
    }
    if (entry.type !== 'tool-result') return entry;
    const call = open.get(entry.callId);
    open.delete(entry.callId);
    const known = call && world.recall(call);
    return known === undefined
      ? entry
      : { ...entry, durationMs: entry.durationMs ?? known.durationMs, ...markOf(known) };
  };
  return {
    async *respond(message, signal) {
      const entries = session.respond(message, signal);
      for (;;) {
        const next = await entries.next();
        if (next.done !== true) {
          yield told(next.value);
          continue;
        }
        const tool = world.ended();
        return { ...(tool === undefined ? {} : { ended: { reason: `tool:${tool}` } }), ...next.value };
      }
    },
    unheard: () => untold(open),
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

/** A session of a target that tells of no calls: before it answers, the world tells of those it was asked. */
function withUntold(session: HeardSession, untold: UntoldCalls): HeardSession {
  return {
    ...session,
    async *respond(message, signal) {
      const entries = session.respond(message, signal);
      for (;;) {
        const next = await entries.next();
        if (next.done === true || isAnswer(next.value)) yield* untold();
        if (next.done === true) return next.value;
        yield next.value;
      }
    },
  };
}

function markOf({ fault }: { readonly fault?: string }) {
  return fault === undefined ? {} : { fault };
}
