import type { Grader } from '../../core/grade.ts';
import type { GraderPlugin } from '../../core/plugin.ts';
import { directoryAsLeft } from '../workspace-file.ts';
import { commandConfig, type CommandConfig } from './command-config.ts';
import { findingOfExit, findingOfReport } from './command-finding.ts';
import { keepOracleTests, oracleTests, testsFile } from './oracle-tests.ts';
import { runInCopy } from './run-in-copy.ts';

/** Runs a program on a copy of the workspace, with files that the agent never saw. */
export const command: GraderPlugin<CommandConfig> = {
  type: 'command',
  version: 1,
  summary: 'A program, such as a test runner, checks a copy of the workspace together with hidden files.',
  config: commandConfig,
  files: ({ files, oracle }) => [files, oracle].filter((path) => path !== undefined),
  proofFiles: (config) => (config.expect_tests === 'oracle' ? [testsFile(config)] : []),
  bringsOracle: ({ oracle }) => oracle !== undefined,
  takesFolders: true,
  touches: () => 'programs',
  create: (settings, services): Grader => ({
    grade: async ({ workspace, target, note, proof }, signal) => {
      if (workspace === undefined) throw new Error('this trial has no workspace, or it was not kept');
      const oracle = proof === 'oracle' ? settings.oracle : undefined;
      const ended = await runInCopy(
        settings,
        { directory: directoryAsLeft(workspace), target, services, note, oracle },
        signal,
      );
      if (settings.result === 'exit') return [findingOfExit(ended)];
      const { expect_tests: expected } = settings;
      if (expected !== 'oracle') return [findingOfReport(ended, settings, expected)];
      const names =
        oracle === undefined ? oracleTests(settings, services) : keepOracleTests(settings, services, ended);
      return [findingOfReport(ended, settings, names)];
    },
  }),
};
