import { extname, resolve } from 'node:path';

import * as z from 'zod';

import { MeasurementError } from '../../core/errors.ts';
import type { Part } from '../../core/message.ts';
import type { TargetPlugin, TargetServices } from '../../core/plugin.ts';
import type { Session, World } from '../../core/target.ts';
import { agentVariables } from '../../core/trial-variables.ts';
import { statusAt } from '../../lib/files/file-status.ts';
import { contentOf } from '../inline-files.ts';
import { givenPrompt, promptRole } from '../given-prompt.ts';
import { contractBroken } from '../target-errors.ts';
import { wireMessages } from '../wire-messages.ts';
import { readAnswer } from './module-answer.ts';
import { pricedEntry } from '../priced-entry.ts';
import { keepModule } from './kept-module.ts';
import { startModule, type ModuleProcess, type ModuleSpec } from './module-process.ts';
import { moduleNeeds } from './module-needs.ts';
import { enterOf, isSandboxed } from '../sandboxed.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';

const config = z.lazy(() =>
  z.strictObject({
    module: z
      .string()
      .min(1)
      .describe(
        'Module whose default export is the function: async ({ messages, workspace, trial }, { signal }).',
      ),
    isolate: z
      .enum(['target', 'trial'])
      .default('target')
      .describe(
        'target: one process answers all trials, except those with a workspace. trial: each session has its own process.',
      ),
    images: z.boolean().default(false).describe('Whether the target accepts images.'),
    promptRole: promptRole('as `prompt` of its input'),
    vars: z
      .array(z.string().min(1))
      .optional()
      .describe('Names of variables of the test that the agent gets as `vars` of its input. Default: none.'),
    maxOutputBytes: z
      .int()
      .positive()
      .default(32 * 2 ** 20)
      .describe('Maximum size of the answers and output of one session in bytes.'),
  }),
);

export type ModuleConfig = z.infer<typeof config>;

/** A target as a function of yours, in a process that all sessions share, or in one of their own. */
export const moduleTarget: TargetPlugin<ModuleConfig> = {
  type: 'module',
  version: 1,
  summary: 'your own function, the default export of a module',
  config,
  openFiles: 8,
  prompt: 'services',
  programsLive: () => 'attempt',
  takesImages: ({ images }) => images,
  files: ({ module }) => [module],
  check: ({ config: { module } }, { directory }) => {
    const found = statusAt(resolve(directory, module));
    if (found?.isFile() === true) return [];
    const message = found === undefined ? `file not found: ${module}` : `${module} is not a file`;
    const hint = isPackage(module)
      ? 'write a path relative to the config, such as ./agent.ts; for a package, write a file that imports it'
      : 'write a path relative to the config, with its extension';
    return [{ path: ['module'], weight: 'error', code: 'missing-file', message, hint }];
  },
  create: (settings, services) => {
    const shared: ModuleSpec = {
      path: resolve(services.directory, settings.module),
      cwd: services.directory,
      env: services.environment,
      maxOutputBytes: settings.maxOutputBytes,
    };
    const kept = keepModule(shared, services.name);
    return {
      open: async (world, signal) => {
        // A module with a workspace may read files relative to it.
        const isShared =
          settings.isolate === 'target' && world.workspace === undefined && !isSandboxed(services);
        const spec = isShared ? shared : specOf(shared, world);
        const process = isShared
          ? kept.join(world)
          : startModule(spec, world, enterOf(services, { world, needs: moduleNeeds(spec.path) }));
        try {
          await replyOf(process, { spec, world, signal });
        } catch (error) {
          await process.end(error);
          throw error;
        }
        return openSession({ spec, settings, services, world, process });
      },
      [Symbol.asyncDispose]: () => kept[Symbol.asyncDispose](),
    };
  },
};

/** A process for one session: its folder and its variables are those of the trial. */
function specOf(shared: ModuleSpec, world: World): ModuleSpec {
  return {
    ...shared,
    cwd: world.workspace?.directory ?? shared.cwd,
    env: { ...shared.env, ...agentVariables(world) },
  };
}

interface Opened {
  readonly spec: ModuleSpec;
  readonly settings: ModuleConfig;
  readonly services: TargetServices;
  readonly world: World;
  readonly process: ModuleProcess;
}

function openSession({ spec, settings, services, world, process }: Opened): Session {
  const { history, workspace, trial } = world;
  const roots = [...(workspace === undefined ? [] : [workspace.directory]), services.directory];
  const content = (parts: readonly Part[]) => contentOf(parts, { roots, images: settings.images });
  const messages: unknown[] = [];
  const { apart, opening } = givenPrompt({ prompt: services.prompt, role: settings.promptRole }, world);
  const vars = settings.vars && namedVars(settings.vars, world);
  let isFirst = true;
  let calls = 0;
  return {
    async *respond(message, signal) {
      if (isFirst) messages.push(...(await wireMessages(history, content)));
      const parts = (isFirst ? opening(message) : message)?.parts;
      isFirst = false;
      if (parts !== undefined) messages.push({ role: 'user', content: await content(parts) });
      const input = { messages, ...given({ workspace, prompt: apart, vars }), trial };
      const line = JSON.stringify(input);
      const answer = readAnswer(await replyOf(process, { spec, world, signal, line }), calls);
      calls += answer.entries.filter(({ type }) => type === 'tool-call').length;
      messages.push(...answer.messages);
      for (const entry of answer.entries) yield await pricedEntry(entry, services);
      return {};
    },
    [Symbol.asyncDispose]: () => process.end(new Error('the session is over')),
  };
}

/** An agent gets no other variables: they may contain what graders expect. */
function namedVars(names: readonly string[], { vars = {} }: World): JsonObject {
  return Object.fromEntries(Object.entries(vars).filter(([name]) => names.includes(name)));
}

interface Exchange {
  readonly spec: ModuleSpec;
  readonly world: World;
  readonly signal: AbortSignal;
  readonly line?: string;
}

/** The module's reply to one line; an abort ends its process and rejects with the reason. */
async function replyOf(process: ModuleProcess, { spec, world, signal, line }: Exchange): Promise<unknown> {
  signal.throwIfAborted();
  const end = (): void => void process.end(signal.reason).catch(() => {});
  signal.addEventListener('abort', end, { once: true });
  try {
    const reply = await process.reply(line);
    signal.throwIfAborted();
    if ('tooDeep' in reply) throw contractBroken(reply.tooDeep);
    if ('unreadable' in reply) throw unreadable(reply.unreadable, world.trial.target);
    if ('thrown' in reply)
      throw crashed(`the module of target ${world.trial.target} threw: ${reply.thrown}`, spec);
    if ('noAgent' in reply) throw noAgent(spec);
    return 'answer' in reply ? reply.answer : undefined;
  } finally {
    signal.removeEventListener('abort', end);
  }
}

function crashed(message: string, { path }: ModuleSpec): MeasurementError {
  return new MeasurementError(message, { stage: 'target', kind: 'runner-crash', hint: `correct ${path}` });
}

/** Whether it is written like the name of a package. */
function isPackage(module: string): boolean {
  return !/^[./]/.test(module) && extname(module) === '';
}

function unreadable(why: string, target: string): MeasurementError {
  return contractBroken(`the answer of the module of target ${target} cannot be written as JSON: ${why}`, {
    hint: 'return a text, or an object of plain values',
  });
}

function noAgent({ path }: ModuleSpec): MeasurementError {
  return contractBroken(`${path} has no function as its default export`, {
    detail: 'no-default-export',
    hint: "write export default async ({ messages }, { signal }) => 'the answer'",
  });
}
