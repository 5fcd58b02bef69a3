import type { AnsweredCall, Session, ToolCall, ToolWorld, World, Yielded } from '../core/target.ts';
import { isAnswer } from '../core/transcript.ts';
import { given } from '../lib/given.ts';
import { jsonEqual } from '../lib/json.ts';

/** The part of the world that comes from the tools of an attempt. */
export function offered({ tools, mcp, call }: ToolWorld): Pick<World, 'tools' | 'call' | 'mcp'> {
  return { tools, call, ...given({ mcp }) };
}

/** A session with tools. It may end before it has reported all calls that the world answered. */
export interface HeardSession extends Session {
  /** Those calls and their results. Called once, after the session was interrupted. */
  unheard?(): Iterable<Yielded>;
}

/** Adds the world's data about tool calls to the transcript of a session. */
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

/** Calls that only the world reported. `open`: calls that the target reported without a result. */
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
 * A session whose transcript uses the declared names of tools and includes the world's data about calls, and
 * which ends with a terminating tool, in whatever way the target called it.
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

/** A session of a target that reports no calls: the world reports them before the answer. */
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
