import { dirname } from 'node:path';

import { jsonOf, textOf, type Message, type Part, type UserMessage } from '../../core/message.ts';
import type { TargetServices } from '../../core/plugin.ts';
import type { Session, TurnEnd, World, Yielded } from '../../core/target.ts';
import { isAnswer } from '../../core/transcript.ts';
import { agentVariables, withoutControls } from '../../core/trial-variables.ts';
import { given } from '../../lib/given.ts';
import { promptText } from '../prompt-text.ts';
import { givenPrompt, type GivenPrompt } from '../given-prompt.ts';
import { stagedFiles } from '../stage-files.ts';
import { wireMessages } from '../wire-messages.ts';
import { answerEntries, type Answer } from './answer.ts';
import { namedFiles, rootedFiles } from '../named-files.ts';
import { namedProgram, type Command } from '../program-path.ts';
import { isSandboxed } from '../sandboxed.ts';
import {
  filledCommand,
  namesPromptVariable,
  placeholdersOf,
  type PlaceholderValues,
  PROMPT_VARIABLE,
} from './command-template.ts';
import type { CliConfig } from './config.ts';
import { streamEntries } from './entry-stream.ts';
import { runProgram, type Execution } from './run-program.ts';
import { turnFiles, type TurnFiles } from './turn-files.ts';

/** A target's program, for all trials. */
export interface Program {
  readonly config: CliConfig;
  readonly command: Command;
  /** Absolute; its working directory when there is no workspace. */
  readonly directory: string;
  readonly services: TargetServices;
}

/** Runs one process per turn, with the whole conversation as text. Ending the session ends the running process. */
export function openProgram(program: Program, world: World): Session {
  const stop = new AbortController();
  const { images } = program.config;
  const staged = stagedFiles({ workspace: world.workspace?.directory, images });
  const prompt = promptOfTarget(program, world);
  const said: Message[] = [];
  let turn = 0;
  let calls = 0;
  let running: Promise<unknown> = Promise.resolve();

  const hear = async (message: UserMessage | undefined): Promise<void> => {
    for (const earlier of turn === 0 ? world.history : [])
      said.push({ ...earlier, parts: await staged.stage(earlier.parts) });
    const parts = (turn === 0 ? prompt.opening(message) : message)?.parts;
    if (parts !== undefined) said.push({ role: 'user', parts: await staged.stage(parts) });
    turn += 1;
  };

  async function* answer(message: UserMessage | undefined): AsyncGenerator<Yielded, TurnEnd> {
    await hear(message);
    await using files = await turnFiles(placeholdersOf(program.command), {
      // Files appear as paths, in the prompt and in the messages.
      prompt: () => promptOf(said),
      servers: () => serversOf(world),
      messages: async () => await wireMessages(said, async (parts) => jsonOf(parts) ?? textOf(parts)),
    });
    const execution = executionOf(program, world, { said, turn, files, prompt });
    if (program.config.stream === 'jsonl') {
      return yield* streamEntries(execution, stop, (work) => (running = work));
    }
    const work = answerOf(execution, { files, calls, stop: stop.signal });
    running = work;
    const { entries, notes } = await work;
    yield* entries;
    return notes.length === 0 ? {} : { notes };
  }

  return {
    async *respond(message, signal) {
      const relay = (): void => stop.abort(signal.reason);
      signal.addEventListener('abort', relay, { once: true });
      if (signal.aborted) relay();
      try {
        stop.signal.throwIfAborted();
        const entries = answer(message);
        for (;;) {
          const next = await entries.next();
          if (next.done === true) return next.value;
          if (next.value.type === 'tool-call') calls += 1;
          if (isAnswer(next.value)) said.push({ role: 'assistant', parts: next.value.parts });
          yield next.value;
        }
      } finally {
        signal.removeEventListener('abort', relay);
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort(new Error('the session is over'));
      await running.catch(() => {});
      await staged[Symbol.asyncDispose]();
    },
  };
}

function promptOfTarget({ services, config }: Program, world: World): GivenPrompt {
  return givenPrompt({ prompt: services.prompt, role: config.promptRole }, world);
}

/** The MCP config for programs; undefined when there are no tools of assay. */
function serversOf({ mcp }: World) {
  if (mcp === undefined) return { mcpServers: {} };
  const [command, ...args] = mcp.command;
  return { mcpServers: { tools: { command, args, env: mcp.environment } } };
}

interface Turn {
  readonly said: readonly Message[];
  readonly turn: number;
  readonly files: TurnFiles;
  readonly prompt: GivenPrompt;
}

function executionOf(program: Program, world: World, { said, turn, files, prompt }: Turn): Execution {
  const { config, services } = program;
  const cwd = world.workspace?.directory ?? program.directory;
  const command = commandIn(cwd, program);
  const asked = placeholdersOf(command);
  const readsVariable = namesPromptVariable(command);
  const readsStdin = !asked.has('PROMPT') && !asked.has('PROMPT_FILE') && !readsVariable;
  const values: PlaceholderValues = {
    ...files.paths,
    ...(asked.has('PROMPT') ? { PROMPT: promptOf(said) } : {}),
    ...(asked.has('FILES') ? { FILES: filesOf(said) } : {}),
    TEST_ID: withoutControls(world.trial.caseId),
    ATTEMPT: String(world.trial.attempt),
    WORKSPACE: cwd,
  };
  return {
    world,
    turn,
    maxOutputBytes: config.maxOutputBytes,
    services,
    needs: {
      writable: Object.values(files.paths).map((path) => dirname(path)),
      programs: programsOf(command),
    },
    spec: {
      command: filledCommand(command, values),
      cwd,
      env: {
        ...services.environment,
        ...agentVariables(world),
        ...given({ ASSAY_SYSTEM_PROMPT: prompt.apart }),
        ...(readsVariable ? { [PROMPT_VARIABLE]: promptOf(said) } : {}),
      },
      ...(readsStdin ? { stdin: promptOf(said) } : {}),
    },
  };
}

/** In a sandbox, the program does not start in the folder of the config. */
function commandIn(cwd: string, { command, services }: Program): Command {
  if (typeof command === 'string' || !isSandboxed(services)) return command;
  return rootedFiles(command, { directory: services.directory, cwd });
}

/** The files that a command runs, as far as no shell has to find them. */
function programsOf(command: Command): readonly string[] {
  return namedFiles(
    typeof command === 'string' ? namedProgram(command, []).map(({ program }) => program) : command,
  );
}

interface Asked {
  readonly files: TurnFiles;
  readonly calls: number;
  readonly stop: AbortSignal;
}

async function answerOf(execution: Execution, { files, calls, stop }: Asked): Promise<Answer> {
  const { stdout, keep } = await runProgram(execution, stop);
  const writesFile = files.paths.OUTPUT_FILE !== undefined;
  if (writesFile) await keep();
  const content = writesFile ? await files.readOutput(execution.maxOutputBytes) : stdout;
  const answer = answerEntries(content.replace(/\r?\n$/, ''), calls);
  if (!answer.saysItAll && !writesFile) await keep();
  return answer;
}

/** The last message starts the turn, unless the agent speaks first. */
function promptOf(said: readonly Message[]): string {
  const last = said.at(-1);
  return last?.role === 'user' ? promptText(said.slice(0, -1), last.parts) : promptText(said, undefined);
}

function filesOf(said: readonly Message[]): readonly string[] {
  const paths = said.flatMap(({ parts }) => parts.filter(isPath)).map((part) => textOf([part]));
  return [...new Set(paths)];
}

function isPath(part: Part): boolean {
  return 'file' in part || 'image' in part;
}
