import type { Message, UserMessage } from '../../core/message.ts';
import type { TargetServices } from '../../core/plugin.ts';
import type { Session, TurnEnd, World, Yielded } from '../../core/target.ts';
import { promptText } from '../prompt-text.ts';
import { stagedFiles, type StagedFiles } from '../stage-files.ts';
import { contractBroken } from '../target-errors.ts';
import type { AgentAdapter, AgentParser, AgentTurn, Launch } from './adapter.ts';
import type { AgentConfig } from './agent-config.ts';
import { agentEnvironment } from './environment.ts';
import { readLeft } from './left-files.ts';
import { outcomeOf, type NamedAgent } from './outcome.ts';
import { writeBelow, type PrivateHome } from './private-home.ts';
import type { AgentProgram } from './program.ts';
import { promptFault } from './prompt-fault.ts';
import { newMemory, remembered, type Memory } from './session-memory.ts';
import { runTurn, type TurnProcess, type TurnRun } from './run-turn.ts';
import { toolEffects } from './tool-effects.ts';
import { turnReader, type TurnReader, type TurnState } from './turn-reader.ts';

/** What a session of a coding agent is made of. */
export interface AgentSession<Config extends AgentConfig> {
  readonly adapter: AgentAdapter<Config>;
  readonly config: Config;
  readonly services: TargetServices;
  readonly program: AgentProgram;
  readonly agent: NamedAgent;
  readonly home: PrivateHome;
  readonly world: World;
}

/** One process a turn; later turns resume the agent's own session. */
export function openAgent<Config extends AgentConfig>(session: AgentSession<Config>): Session {
  const { world, config, home } = session;
  const stop = new AbortController();
  const staged = stagedFiles({ workspace: world.workspace?.directory, images: config.images ?? false });
  const memory = newMemory(world.resumes?.sessionId);
  let running: Promise<unknown> = Promise.resolve();
  /** Keeps what an agent left that did not come to its end. */
  let keepUnread: (() => Promise<unknown>) | undefined;

  async function* answer(message: UserMessage | undefined): AsyncGenerator<Yielded, TurnEnd> {
    memory.turn += 1;
    memory.stepsBefore = memory.steps;
    const prompt = await promptOf(session, message, { staged, isFirst: memory.turn === 1 });
    const turn = turnOf(session, memory, prompt);
    const parser = parserOf(session, memory, turn);
    const reader = turnReader(parser);
    const launch = session.adapter.launch(turn);
    await writeFiles(session, launch);
    const process = processOf(
      session,
      { turn, launch },
      { reader, turn: memory.turn, opening: parser.opening },
    );
    keepUnread = () => keepLeft(session, { reader, turn, memory });
    const run = yield* remembered(
      runTurn(process, stop.signal, (work) => (running = work)),
      memory,
    );
    keepUnread = undefined;
    return yield* remembered(finished(session, { run, reader, turn, memory }), memory);
  }

  return {
    async *respond(message, signal) {
      const relay = (): void => stop.abort(signal.reason);
      signal.addEventListener('abort', relay, { once: true });
      if (signal.aborted) relay();
      try {
        stop.signal.throwIfAborted();
        return yield* answer(message);
      } finally {
        signal.removeEventListener('abort', relay);
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort(new Error('the session is over'));
      await running.catch(() => {});
      await keepUnread?.().catch(() => {});
      await staged[Symbol.asyncDispose]();
      const isKept = memory.resume !== undefined && config.inheritConfig !== true;
      if (isKept && world.handOver !== undefined) {
        world.handOver({
          directory: home.folders.home,
          [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
        });
      } else await home[Symbol.asyncDispose]();
    },
  };
}

interface Hearing {
  readonly staged: StagedFiles;
  readonly isFirst: boolean;
}

/** What was said before the session stands in its first prompt; later the agent remembers it. */
async function promptOf<Config extends AgentConfig>(
  { world, adapter, program }: AgentSession<Config>,
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
  throw contractBroken(`the prompt cannot be given to ${program.name}: ${fault}`, {
    detail: 'prompt-unusable',
    hint: 'change the input of the case',
  });
}

function turnOf<Config extends AgentConfig>(
  { config, world, services, home }: AgentSession<Config>,
  { sessionId, resume }: Memory,
  prompt: string,
): AgentTurn<Config> {
  const isOwn = world.workspace === undefined || world.workspace.isForeign === true;
  return {
    config,
    prompt,
    permissions: config.permissions ?? (isOwn ? 'agent' : 'full'),
    sessionId,
    ...(resume === undefined ? {} : { resume }),
    directory: world.workspace?.directory ?? services.directory,
    scratch: home.folders.scratch,
    ...(world.mcp === undefined ? {} : { mcp: world.mcp }),
    isRoot: process.getuid?.() === 0,
  };
}

function parserOf<Config extends AgentConfig>(
  session: AgentSession<Config>,
  memory: Memory,
  turn: AgentTurn<Config>,
): AgentParser {
  const { adapter, world, services } = session;
  const workspace = world.workspace?.directory ?? services.directory;
  return adapter.parser({
    turn,
    effectsOf: toolEffects(adapter.tools, { workspace, home: homeOf(session) }),
    earlier: {
      ...(memory.turn === 1 ? {} : { turns: memory.turn - 1 }),
      ...(memory.usage === undefined ? {} : { usage: memory.usage }),
      costUsd: memory.costUsd,
    },
  });
}

function processOf<Config extends AgentConfig>(
  session: AgentSession<Config>,
  { turn, launch }: { readonly turn: AgentTurn<Config>; readonly launch: Launch },
  {
    opening,
    ...reading
  }: Pick<TurnProcess, 'reader' | 'turn'> & { readonly opening: AgentParser['opening'] | undefined },
): TurnProcess {
  const { program, world } = session;
  const { args, env = {} } = launch;
  return {
    ...reading,
    ...(opening === undefined ? {} : { opening }),
    program,
    args,
    env: environmentOf(session, env),
    directory: turn.directory,
    world,
  };
}

function environmentOf<Config extends AgentConfig>(
  { adapter, services, home, config }: AgentSession<Config>,
  launched: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const inheritConfig = config.inheritConfig ?? false;
  return agentEnvironment({ adapter, services, folders: home.folders, inheritConfig, launched });
}

async function writeFiles<Config extends AgentConfig>(
  { home: { folders } }: AgentSession<Config>,
  { files = {}, homeFiles = {} }: Launch,
): Promise<void> {
  for (const [path, text] of Object.entries(files)) await writeBelow(folders.scratch, path, text);
  for (const [path, text] of Object.entries(homeFiles)) await writeBelow(folders.home, path, text);
}

interface Finished<Config extends AgentConfig> {
  readonly run: TurnRun;
  readonly reader: TurnReader;
  readonly turn: AgentTurn<Config>;
  readonly memory: Memory;
}

/** Reads what the agent left, and keeps it beside the trial. */
async function keepLeft<Config extends AgentConfig>(
  session: AgentSession<Config>,
  { reader, turn, memory }: Omit<Finished<Config>, 'run'>,
): Promise<Readonly<Record<string, string>>> {
  const { adapter, home, world } = session;
  const { scratch } = home.folders;
  const { directory } = turn;
  const place = {
    home: homeOf(session),
    variables: environmentOf(session, {}),
    scratch,
    directory,
    sessionId: sessionIdOf(reader, turn),
  };
  const files = await readLeft(adapter.leaves?.(place) ?? []);
  for (const [name, content] of Object.entries(files)) {
    await world.artifacts.write(numbered(name, memory.turn), content);
  }
  return files;
}

function sessionIdOf(reader: TurnReader, turn: Pick<AgentTurn, 'sessionId'>): string {
  return reader.state().sessionId ?? turn.sessionId;
}

/** Reads what the agent left, and says whether the turn was measured. */
async function* finished<Config extends AgentConfig>(
  session: AgentSession<Config>,
  { run, reader, turn, memory }: Finished<Config>,
): AsyncGenerator<Yielded, TurnEnd> {
  const { agent } = session;
  const sessionId = sessionIdOf(reader, turn);
  const left = await keepLeft(session, { reader, turn, memory }).then(
    (found) => ({ files: found }),
    (error: unknown) => ({ files: {}, error }),
  );
  const { files } = left;
  yield* reader.end({ ...run.exit, files });
  const state: TurnState = { ...reader.state(), ...(run.settled === undefined ? {} : run.settled) };
  const failure = outcomeOf(state, run.exit, { ...agent, version: state.version ?? agent.version });
  if (failure !== undefined) throw failure;
  if ('error' in left) throw left.error;
  memory.resume = sessionId;
  const notes = [...state.notes, ...notesOf(run, state, agent)];
  return {
    sessionId,
    artifacts: [...run.logs, ...Object.keys(files).map((name) => numbered(name, memory.turn))],
    ...(state.steps === undefined ? {} : { steps: state.steps }),
    ...(notes.length === 0 ? {} : { notes }),
    ...(state.unknown.size === 0 ? {} : { unknownEvents: Object.fromEntries(state.unknown) }),
  };
}

function notesOf(
  { strays, settled }: TurnRun,
  { unknown }: TurnState,
  { program }: NamedAgent,
): readonly string[] {
  const kinds = [...unknown].map(([kind, count]) => `${kind} (${count})`).join(', ');
  return [
    ...(settled === undefined ? [] : [settled.note]),
    ...(strays === 0
      ? []
      : [`${program} left ${strays} ${strays === 1 ? 'process' : 'processes'} running, which were ended`]),
    ...(kinds === '' ? [] : [`${program} printed events that assay does not know: ${kinds}`]),
  ];
}

function homeOf<Config extends AgentConfig>({ config, services, home }: AgentSession<Config>): string {
  const operators = config.inheritConfig === true ? services.operatorEnvironment['HOME'] : undefined;
  return operators ?? home.folders.home;
}

function numbered(name: string, turn: number): string {
  return turn === 1 ? name : name.replace(/(?=\.[^.]*$)/, `-${turn}`);
}
