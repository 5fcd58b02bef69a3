import type { Grader } from '../../core/grade.ts';
import type { GraderPlugin } from '../../core/plugin.ts';
import { directoryAsLeft } from '../workspace-file.ts';
import { commandConfig, type CommandConfig } from './command-config.ts';
import { findingOfExit, findingOfReport } from './command-finding.ts';
import { runInCopy } from './run-in-copy.ts';

/** Runs a program on a copy of the workspace, with files that the agent never saw. */
export const command: GraderPlugin<CommandConfig> = {
  type: 'command',
  version: 1,
  summary: 'A program, such as a test runner, checks a copy of the workspace together with hidden files.',
  config: commandConfig,
  files: ({ files }) => (files === undefined ? [] : [files]),
  takesFolders: true,
  touches: () => 'programs',
  create: (settings, services): Grader => ({
    grade: async ({ workspace, target, note }, signal) => {
      if (workspace === undefined) throw new Error('this trial has no workspace, or it was not kept');
      const ended = await runInCopy(
        settings,
        { directory: directoryAsLeft(workspace), target, services, note },
        signal,
      );
      return [settings.result === 'exit' ? findingOfExit(ended) : findingOfReport(ended, settings)];
    },
  }),
};
