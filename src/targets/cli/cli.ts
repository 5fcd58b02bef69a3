import { resolve } from 'node:path';

import type { TargetPlugin } from '../../core/plugin.ts';
import { namedProgram, relativeProgram, rootedCommand } from '../program-path.ts';
import { placeholdersOf } from './command-template.ts';
import { cliConfig, type CliConfig } from './config.ts';
import type * as Sessions from './session.ts';

/** A target for any program: it gets the prompt, and answers on stdout or in a file. */
export const cli: TargetPlugin<CliConfig> = {
  type: 'cli',
  prompt: 'services',
  programsLive: () => 'attempt',
  version: 1,
  summary: 'any program that reads a prompt and prints an answer',
  config: cliConfig,
  openFiles: 8,
  takesImages: ({ images }) => images,
  tellsToolCalls: ({ stream }) => stream === 'jsonl',
  reachesTools: ({ command }) => (placeholdersOf(command).has('MCP_CONFIG') ? 'mcp' : undefined),
  files: ({ command }) => relativeProgram(command),
  programs: ({ command, healthcheck }) => [
    ...namedProgram(command, ['command']),
    ...namedProgram(healthcheck?.command, ['healthcheck', 'command']),
  ],
  inspect: async (place) => await (await import('./inspect-program.ts')).inspectProgram(place),
  create(config, services) {
    const directory = resolve(services.directory, config.cwd ?? '.');
    const command = rootedCommand(config.command, services.directory);
    const program = { config, command, directory, services };
    // Loaded late: checking a suite, or running another target, needs no process code.
    let sessions: Promise<typeof Sessions> | undefined;
    return {
      async open(world) {
        sessions ??= import('./session.ts');
        return (await sessions).openProgram(program, world);
      },
      async prepare(signal) {
        if (config.healthcheck === undefined) return;
        const { checkHealth } = await import('./healthcheck.ts');
        await checkHealth(config.healthcheck, program, signal);
      },
    };
  },
};
