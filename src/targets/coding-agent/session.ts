import { mkdir } from 'node:fs/promises';

import type { Message, UserMessage } from '../../core/message.ts';
import type { Session, TurnEnd, Yielded } from '../../core/target.ts';
import { promptText } from '../prompt-text.ts';
import { stagedFiles, type StagedFiles } from '../stage-files.ts';
import { contractBroken } from '../target-errors.ts';
import type { AgentParser, AgentTurn, Launch, ParserContext } from './adapter.ts';
import { environmentOf, homeOf, sandboxOf, type AgentSession } from './agent-session.ts';
import { keepExport } from './export-session.ts';
import { finished, keepLeft } from './finish-turn.ts';
import { writeBelow } from './private-home.ts';
import { promptFault } from './prompt-fault.ts';
import type { TurnProcess } from './run-turn.ts';
import { newMemory, remembered, type Memory } from './session-memory.ts';
import { sessionProcesses } from './session-processes.ts';
import { toolEffects } from './tool-effects.ts';
import { turnReader } from './turn-reader.ts';
import { given } from '../../lib/given.ts';

/** Runs one process per turn that resumes the agent's own session, or one process for all turns. */
export function openAgent(session: AgentSession): Session {
  const { world, config, home } = session;
  const stop = new AbortController();
  const staged = stagedFiles({ workspace: world.workspace?.directory, images: config.images ?? false });
  const memory = newMemory(world.resumes?.sessionId);
  const processes = sessionProcesses(session, stop.signal);
  /** Saves the files of an agent that did not finish. */
  let keepUnread: (() => Promise<unknown>) | undefined;
  let keepWritten: (() => Promise<unknown>) | undefined;

  async function* answer(
    message: UserMessage | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<Yielded, TurnEnd> {
    memory.turn += 1;
    memory.stepsBefore = memory.steps;
    const prompt = await promptOf(session, message, { staged, isFirst: memory.turn === 1 });
    const turn = turnOf(session, memory, prompt);
    const context = contextOf(session, memory, turn);
    const parser = processes.nextParser(context) ?? session.adapter.parser(context);
    const reader = turnReader(parser);
    const launch = session.adapter.launch(turn);
    await writeFiles(session, launch);
    const { opening } = parser;
    const process = processOf(session, { turn, launch }, { reader, turn: memory.turn, opening });
    keepUnread = () => keepLeft(session, { reader, turn, memory });
    const run = yield* remembered(processes.run(parser, process), memory, world.stepBegan);
    keepUnread = undefined;
    keepWritten = () => keepExport(session.adapter, process, signal);
    return yield* remembered(finished(session, { run, reader, turn, memory }), memory);
  }

  return {
    async *respond(message, signal) {
      const relay = (): void => stop.abort(signal.reason);
      signal.addEventListener('abort', relay, { once: true });
      if (signal.aborted) relay();
      try {
        stop.signal.throwIfAborted();
        return yield* answer(message, signal);
      } finally {
        signal.removeEventListener('abort', relay);
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort(new Error('the session is over'));
      const fault = await processes.end();
      await (keepUnread ?? keepWritten)?.().catch(() => {});
      await staged[Symbol.asyncDispose]();
      const isKept = memory.resume !== undefined && config.inheritConfig !== true;
      if (isKept && world.handOver !== undefined) {
        world.handOver({
          directory: home.folders.home,
          [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
        });
      } else await home[Symbol.asyncDispose]();
      if (fault !== undefined && keepUnread === undefined) throw fault;
    },
  };
}

interface Hearing {
  readonly staged: StagedFiles;
  readonly isFirst: boolean;
}

/** Messages before the session are in its first prompt; later the agent remembers them. */
async function promptOf(
  { world, adapter, program }: AgentSession,
  message: UserMessage | undefined,
  { staged, isFirst }: Hearing,
): Promise<string> {
  const earlier: Message[] = [];
  for (const each of isFirst ? world.history : []) {
    earlier.push({ ...each, parts: await staged.stage(each.parts) });
  }
  const prompt = promptText(earlier, message && (await staged.stage(message.parts)));
  const fault = promptFault(prompt) ?? adapter.promptFault?.(prompt);
  if (fault === undefined) return prompt;
  throw contractBroken(`the prompt cannot be passed to ${program.name}: ${fault}`, {
    detail: 'prompt-unusable',
    hint: 'change the input of the case',
  });
}

function turnOf(
  { config, world, services, home }: AgentSession,
  { sessionId, resume }: Memory,
  prompt: string,
): AgentTurn {
  const isOwn = world.workspace === undefined || world.workspace.isForeign === true;
  return {
    config,
    prompt,
    permissions: config.permissions ?? (isOwn ? 'agent' : 'full'),
    sessionId,
    ...given({ resume }),
    directory: world.workspace?.directory ?? services.directory,
    scratch: home.folders.scratch,
    ...given({ mcp: world.mcp }),
    isRoot: process.getuid?.() === 0,
  };
}

function contextOf(session: AgentSession, memory: Memory, turn: AgentTurn): ParserContext {
  const { adapter, world, services } = session;
  const workspace = world.workspace?.directory ?? services.directory;
  return {
    turn,
    effectsOf: toolEffects(adapter.tools, { workspace, home: homeOf(session) }),
    earlier: {
      ...(memory.turn === 1 ? {} : { turns: memory.turn - 1 }),
      ...given({ usage: memory.usage }),
      costUsd: memory.costUsd,
    },
  };
}

function processOf(
  session: AgentSession,
  { turn, launch }: { readonly turn: AgentTurn; readonly launch: Launch },
  {
    opening,
    ...reading
  }: Pick<TurnProcess, 'reader' | 'turn'> & { readonly opening: AgentParser['opening'] | undefined },
): TurnProcess {
  const { program, world } = session;
  const { args, env = {} } = launch;
  const enter = sandboxOf(session);
  return {
    ...reading,
    ...given({ opening, enter }),
    program,
    args,
    env: environmentOf(session, env),
    directory: turn.directory,
    world,
  };
}

async function writeFiles(
  { home: { folders } }: AgentSession,
  { args, env = {}, files = {}, homeFiles = {} }: Launch,
): Promise<void> {
  const isTold = [...args, ...Object.values(env)].some((text) => text.includes(folders.scratch));
  if (isTold) await mkdir(folders.scratch, { recursive: true, mode: 0o700 });
  for (const [path, text] of Object.entries(files)) await writeBelow(folders.scratch, path, text);
  for (const [path, text] of Object.entries(homeFiles)) await writeBelow(folders.home, path, text);
}
