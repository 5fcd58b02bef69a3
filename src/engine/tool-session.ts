import type { Session, ToolCall, ToolWorld, World, Yielded } from '../core/target.ts';

/** What the tools of an attempt add to the world that its target gets. */
export function offered({ tools, mcp, call }: ToolWorld): Pick<World, 'tools' | 'call' | 'mcp'> {
  return { tools, call, ...(mcp === undefined ? {} : { mcp }) };
}

/**
 * A session whose transcript names the tools as they are declared and tells what only the world knows of a call, and
 * which ends with a terminating tool however the target came to call it.
 */
export function withTools(session: Session, world: ToolWorld): Session {
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

function markOf({ fault }: { readonly fault?: string }) {
  return fault === undefined ? {} : { fault };
}
