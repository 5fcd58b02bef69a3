import type { ExplainedTrialCode } from './explained-code.ts';

/** Why a trial could not be measured: a closed list, stable in rows and reports. */
export const ERROR_KINDS = {
  'adapter-drift': {
    stage: 'target',
    meaning: 'The output of an agent program has an unknown form.',
    whatToDo: 'Install the version of the program that the message names, or a newer assay.',
  },
  'assert-hook': {
    stage: 'grading',
    meaning: 'The `assert` function of a code suite could not run.',
    whatToDo: 'Correct the function. If its suite is not loaded, name the file of the suite with `--suite`.',
  },
  budget: {
    stage: 'target',
    meaning: 'The trial reached its cost limit.',
    whatToDo: 'Raise the limit, or find out why the trial costs so much.',
    says: ['the agent spent ${cost}, but the limit is ${limit}'],
  },
  contract: {
    stage: 'target',
    meaning: 'The output of the target does not have the documented format.',
    whatToDo: 'Correct the output of the target as the message says.',
  },
  grader: {
    stage: 'grading',
    meaning: 'A grader could not decide.',
    whatToDo: 'Read the message of the grader. Files, references, programs or weights may be missing.',
  },
  'http-error': {
    stage: 'target',
    meaning: 'The server answered with an error status.',
    whatToDo: 'Check the log and the limits of the server.',
    says: [
      '{url} answered with status {status}: {text of the server}',
      '{model}: status {status}: {text of the provider}',
    ],
  },
  'idle-timeout': {
    stage: 'target',
    meaning: 'The agent was silent for too long.',
    whatToDo: 'Raise the idle limit, or find out what the agent waits for.',
    says: ['no activity from the target for {limit} ms'],
  },
  interrupted: {
    stage: 'target',
    meaning: 'Something stopped the agent before it had finished its turn.',
    whatToDo: 'Run the trial again with `assay resume RUN --retry errored`.',
  },
  'max-steps': {
    stage: 'target',
    meaning: 'The agent used more steps than allowed.',
    whatToDo:
      'Raise the limit: `max_steps` of the eval, or `maxStepsPerTurn` of the target. Or find out why the agent needs so many steps.',
    says: [
      {
        text: 'the agent started step {step}, but the limit is {limit}',
        hint: 'Raise `max_steps` of the eval, or find out why the agent needs so many steps.',
      },
    ],
  },
  'mock-crash': {
    stage: 'world',
    meaning: 'The code behind a tool mock threw an error.',
    whatToDo: 'Correct that code.',
  },
  'mock-miss': {
    stage: 'world',
    meaning: 'No mock answers a call of the agent.',
    whatToDo: 'Add a mock for this call.',
  },
  'model-rejected': {
    stage: 'target',
    meaning: 'The provider does not know the model.',
    whatToDo: 'Correct `model` of the target.',
  },
  normalization: {
    stage: 'target',
    meaning: 'The output of the agent could not be understood.',
    whatToDo: 'Read the message. A newer assay may know this output.',
  },
  'runner-crash': {
    stage: 'target',
    meaning: 'The program of the target ended with an error.',
    whatToDo: 'Read its output in the folder of the trial.',
  },
  sandbox: {
    stage: 'target',
    meaning:
      'The sandbox of the attempt could not be started, or the workspace could not be copied for grading.',
    whatToDo: 'Run `assay doctor --sandbox`. The trial needs an isolated workspace too.',
    says: [
      'the sandbox could not be started: {reason}',
      {
        text: 'the workspace cannot be copied for grading: {reason}',
        hint: 'Read the reason. For example, make the agent remove large files that it does not need.',
      },
    ],
  },
  simulator: {
    stage: 'user',
    meaning: 'The simulated user gave no usable message.',
    whatToDo: 'Read the message. Try another model for `user`.',
  },
  tampered: {
    stage: 'grading',
    meaning: 'A file that `restore` protects, an eval or a grader was changed during the run.',
    whatToDo: 'Find the process that changed the file. The result is not trusted.',
  },
  'target-unavailable': {
    stage: 'target',
    meaning: 'The target could not be started or reached.',
    whatToDo: 'Start the target, or correct its command or address.',
  },
  timeout: {
    stage: 'target',
    meaning: 'The trial took too long.',
    whatToDo: 'Raise the timeout, or find out what takes so long.',
  },
  'token-limit': {
    stage: 'target',
    meaning: 'The trial used more tokens than allowed.',
    whatToDo: 'Raise `max_tokens`, or find out why the trial needs so many tokens.',
    says: ['the agent used {tokens} tokens, but the limit is {limit}'],
  },
  'workspace-bootstrap': {
    stage: 'workspace',
    meaning: 'The bootstrap command of the workspace failed.',
    whatToDo: 'Run the command by hand in the template.',
  },
  'workspace-setup': {
    stage: 'workspace',
    meaning: 'The directory for the trial could not be prepared.',
    whatToDo: 'Read the message. Often a script failed, or the disk is full.',
    says: ['the setup script `{command}` {how it ended}'],
  },
  'workspace-template': {
    stage: 'workspace',
    meaning: 'The template of the workspace could not be copied.',
    whatToDo: 'Check the files of the template.',
  },
} as const satisfies Readonly<Record<string, ExplainedTrialCode>>;
