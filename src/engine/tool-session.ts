import type { Session, ToolCall, ToolWorld, World, Yielded } from '../core/target.ts';
import { isAnswer } from '../core/transcript.ts';

/** What the tools of an attempt add to the world that its target gets. */
export function offered({ tools, mcp, call }: ToolWorld): Pick<World, 'tools' | 'call' | 'mcp'> {
  return { tools, call, ...(mcp === undefined ? {} : { mcp }) };
}

/** What the world knows of the calls of a session stands in its transcript. */
export function throughTools(
  session: Session,
  tools: ToolWorld | undefined,
  { tellsToolCalls }: { readonly tellsToolCalls?: boolean },
): Session {
  if (tools === undefined) return session;
  const heard = withTools(session, tools);
  return tellsToolCalls === true ? heard : withUntold(heard, tools);
}

/**
 * A session whose transcript names the tools as they are declared and tells what only the world knows of a call, and
 * which ends with a terminating tool however the target came to call it.
 */
function withTools(session: Session, world: ToolWorld): Session {
  const calls = new Map<string, ToolCall>();
  const told = (entry: Yielded): Yielded => {
    if (entry.type === 'tool-call') {
      const name = world.nameOf(entry.name);
      calls.set(entry.callId, { name, input: entry.input });
      return { ...entry, name };
    }
    if (entry.type !== 'tool-result') return entry;
    const call = calls.get(entry.callId);
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
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

/** A session of a target that tells of no calls: before it answers, the world tells of those it was asked. */
function withUntold(session: Session, world: ToolWorld): Session {
  let calls = 0;
  function* untold(): Generator<Yielded> {
    for (const { name, input, ...answer } of world.untold()) {
      const callId = `tools-${++calls}`;
      yield { type: 'tool-call', callId, name, input };
      yield { type: 'tool-result', callId, ...answer };
    }
  }
  return {
    async *respond(message, signal) {
      const entries = session.respond(message, signal);
      for (;;) {
        const next = await entries.next();
        if (next.done === true || isAnswer(next.value)) yield* untold();
        if (next.done === true) return next.value;
        yield next.value;
      }
    },
    [Symbol.asyncDispose]: () => session[Symbol.asyncDispose](),
  };
}

function markOf({ fault }: { readonly fault?: string }) {
  return fault === undefined ? {} : { fault };
}
