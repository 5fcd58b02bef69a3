import type { ExplainedCode } from './explained-code.ts';

/** Problems with sandboxes, and with files that decide what passes. */
export const SANDBOX_CODES = {
  'evidence-changed': {
    meaning: 'A suite, a grader or a file of a grader was changed during the run.',
    whatToDo: 'If you did not change it, an agent did: run it in a sandbox. Then start a new run.',
  },
  'isolation-required': {
    meaning: 'A target would run with weaker isolation than `--require-isolation` demands.',
    whatToDo: 'Set `sandbox.level` of the target, or use `--sandbox LEVEL`.',
  },
  'memory-limit': {
    meaning: 'A program in a container needed more memory than `sandbox.memoryMb` allows.',
    whatToDo: 'Raise `sandbox.memoryMb`, or find out why the program needs so much memory.',
    says: [
      'the program ended with exit code {code}, probably because it needed more memory than `memoryMb: {limit}` allows',
    ],
  },
  'process-limit': {
    meaning: 'No program could be started in a container, because it may not have another process.',
    whatToDo: 'Raise `sandbox.processes`, or run fewer trials at once.',
    says: [
      'the sandbox could not be started: the limit `processes: {limit}` is reached',
      'the sandbox could not be started: a limit of this machine for processes is reached',
    ],
  },
  'sandbox-mount': {
    meaning: 'A mount of a sandbox does not exist, or would show the agent how it is graded.',
    whatToDo: 'Mount a file or folder that contains neither the project nor its runs.',
    says: [
      'targets.{name}: the mount {path} does not exist',
      'targets.{name}: the mount {path} contains the project',
      'targets.{name}: the mount {path} contains stored runs',
      'targets.{name}: the mount {path} would hide a folder of the system: {path}',
    ],
  },
  'sandbox-settings': {
    meaning: 'A target has settings that cannot work in a sandbox.',
    whatToDo: 'Change the settings as the message says, or set `sandbox.level` to `process`.',
    says: [
      'targets.{name}: at the level `process`, programs have the network of this machine, so `network: {network}` cannot be enforced',
      'targets.{name}: with `inheritConfig: true` the agent needs your home directory, which a sandbox hides',
      'targets.{name}: the level `{level}` does not enforce {limits}',
      'targets.{name}: `image` and `build` of the sandbox are both set',
      'targets.{name}: the Dockerfile {path} does not exist',
      'targets.{name}: docker cannot limit connections to some addresses',
      'targets.{name}: with docker and `network: none`, the `server` of the target cannot be reached',
    ],
  },
  'sandbox-unavailable': {
    meaning: 'This machine cannot run a sandbox of the level that a target asks for.',
    whatToDo:
      'Install what the message names. `assay doctor --sandbox` shows what works on this machine. assay never uses a weaker level instead.',
  },
} as const satisfies Readonly<Record<string, ExplainedCode>>;
