import type { ExplainedCode } from './explained-code.ts';

/** Errors of commands. */
export const COMMAND_CODES = {
  'auth-required': {
    meaning:
      'Other machines could use the server without signing in. Or nobody could sign in, because no active admin has a token.',
    whatToDo: 'Use `--auth token`, and create a token for an admin first.',
  },
  authoring: {
    meaning: 'The eval files or the config have problems.',
    whatToDo: 'Correct the printed problems.',
    says: ['{number} problems found; nothing was run'],
  },
  'budget-spent': {
    meaning: 'The budget of the run is used up.',
    whatToDo: 'Continue with `assay resume RUN --max-cost USD`.',
    says: [
      '${spent} of ${limit} is spent; not enough is left for {request}, which may cost up to ${worst case}',
    ],
  },
  'calibration-smaller': {
    meaning: 'The new calibration would lose labels of the old one.',
    whatToDo: 'Give all labels in one file, or use `--replace`.',
  },
  'calibration-unreadable': {
    meaning: 'The calibration file is damaged.',
    whatToDo: 'Restore the file from version control, or remove it and run `assay calibrate` again.',
  },
  'case-missing': {
    meaning: 'A stored trial belongs to a case that the suites no longer have.',
    whatToDo: 'Use `--suite FILE` with the file that contains the case.',
  },
  'case-not-found': {
    meaning: 'No test case has this name.',
    whatToDo: '`assay cases list PATH` shows the names.',
  },
  'dashboard-missing': {
    meaning: 'The installation has no dashboard.',
    whatToDo: 'Install assay again, or build it with `npm run build`.',
  },
  'explain-ambiguous': {
    meaning: 'The folder contains several attempts that can be explained.',
    whatToDo: 'Name one of the listed attempts.',
  },
  'explain-not-possible': {
    meaning: 'The agent can no longer be asked about this attempt.',
    whatToDo: 'Run the case again.',
  },
  'explain-nothing': {
    meaning: 'The folder contains no attempt that can be explained.',
    whatToDo: 'Name the folder of an attempt that failed in a code suite.',
  },
  'explain-unreadable': {
    meaning: 'The stored data of an attempt is damaged.',
    whatToDo: 'Run the case again.',
  },
  'files-there': {
    meaning: 'Files would be overwritten.',
    whatToDo: 'Choose an empty folder, or use `--force`.',
  },
  'folder-unusable': {
    meaning: 'The folder cannot be written to.',
    whatToDo: 'Name a folder that you may write to.',
  },
  'labels-unreadable': {
    meaning: 'The file of labels cannot be read.',
    whatToDo: 'Name a JSONL file with one label per line.',
  },
  'merge-different': {
    meaning: 'The runs to be merged differ in suites, config or flags.',
    whatToDo: 'Run all shards again with the same settings, and merge the new runs.',
  },
  'merge-overlap': {
    meaning: 'Two runs to be merged contain the same trial.',
    whatToDo: 'Merge the shards of one run, such as `--shard 1/2` and `--shard 2/2`.',
  },
  'mock-server': {
    meaning: 'The mock server cannot listen on its port.',
    whatToDo: 'Choose another `--port`, or 0 for any free port.',
  },
  'not-repeated': {
    meaning: '`assay compare --self-check` needs a case with at least two repetitions, and the run has none.',
    whatToDo: 'Run with `--repeat 2` or more.',
  },
  'nothing-measured': {
    meaning: 'The run has no measured trial of these suites.',
    whatToDo: 'Name a run that measured these suites.',
  },
  'nothing-to-resume': {
    meaning: 'Every trial of the run has already ended.',
    whatToDo: 'To run errored or cancelled trials again, use `assay resume RUN --retry errored,cancelled`.',
  },
  'port-in-use': {
    meaning: 'The server cannot listen on its port.',
    whatToDo: 'Choose another `--port`, or 0 for any free port.',
  },
  'replay-unclear': {
    meaning: 'The run has several targets and none was named, or it lacks the target that was named.',
    whatToDo: 'Name one target of the run: `replay:RUN#TARGET`.',
  },
  'reporter-unusable': {
    meaning: 'The module of a reporter does not have the required form.',
    whatToDo: 'Export a reporter as the message shows.',
  },
  'results-not-written': {
    meaning: 'Results could not be written to a file or to the database.',
    whatToDo: 'Check the path, the permissions and the free space.',
  },
  'run-ambiguous': {
    meaning: 'Several run ids begin with these characters.',
    whatToDo: 'Give more characters of the id.',
  },
  'run-changed': {
    meaning: 'The evals or the config changed after the run was planned.',
    whatToDo: 'Undo the change, or use `--accept-changes`.',
  },
  'run-finished': {
    meaning: 'The run has ended, so it cannot be cancelled.',
    whatToDo: 'You need not do anything: no trial of this run is running any more.',
  },
  'run-in-use': { meaning: 'Another process is writing this run.', whatToDo: 'Wait until it ends.' },
  'run-newer': { meaning: 'The run was written by a newer version of assay.', whatToDo: 'Update assay.' },
  'run-not-found': { meaning: 'No run has this name.', whatToDo: '`assay runs` lists the runs.' },
  'run-not-resumable': {
    meaning:
      'This run cannot be resumed: it is a merged run, a grade run, or its file `spec.json` is missing.',
    whatToDo:
      'For a merged run, resume its source runs. For a grade run, grade its source run again. Otherwise start a new run.',
  },
  'run-not-trusted': {
    meaning:
      'The run belongs to another project, or your account did not record it on this machine. The command would execute its code, or send its questions to an agent.',
    whatToDo: 'Read the named files first, then allow the command with `--trust`.',
  },
  'run-unreadable': {
    meaning: 'A file of the run is damaged or cannot be read.',
    whatToDo: 'Restore the file, or name another run.',
  },
  'server-unreachable': {
    meaning: 'The server of `ASSAY_URL` does not answer.',
    whatToDo: 'Check `ASSAY_URL`, and that the server is running.',
  },
  'snapshots-ambiguous': {
    meaning:
      'Two suites have a case with the same id and target. So assay cannot tell to which of them a stored token count belongs.',
    whatToDo: 'Rename one of the cases.',
  },
  'snapshots-unreadable': {
    meaning: 'The file of token baselines is damaged.',
    whatToDo: 'Restore the file, or remove it and record the token counts again.',
  },
  'too-many-trials': {
    meaning: 'The run would have more than a million trials. The store does not accept such a run.',
    whatToDo: 'Ask for fewer repetitions, or divide the cases into several runs.',
  },
  'trial-ambiguous': {
    meaning: 'The name matches several trials.',
    whatToDo: 'Name one of the listed trials.',
  },
  'trial-not-found': {
    meaning: 'The run has no such trial.',
    whatToDo: 'Correct the name. `assay show RUN --json` lists the trials.',
  },
  'unknown-reporter': {
    meaning: 'The reporter does not exist.',
    whatToDo: 'Use one of the reporters that the message lists.',
  },
  usage: {
    meaning: 'A command was called with an argument that it does not take.',
    whatToDo: '`assay COMMAND --help` shows the arguments and options of the command.',
  },
} as const satisfies Readonly<Record<string, ExplainedCode>>;
