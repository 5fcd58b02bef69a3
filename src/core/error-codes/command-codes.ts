import type { ExplainedCode } from './explained-code.ts';

/** Errors of commands. */
export const COMMAND_CODES = {
  authoring: {
    meaning: 'The eval files or the config have problems.',
    whatToDo: 'Correct the problems that are printed with it.',
  },
  'budget-spent': {
    meaning: 'The budget of the run is used up.',
    whatToDo: 'Continue with `assay resume RUN --max-cost USD`.',
  },
  'calibration-smaller': {
    meaning: 'The new calibration would drop labels.',
    whatToDo: 'Give all labels in one file, or use `--replace`.',
  },
  'calibration-unreadable': {
    meaning: 'The calibration file is damaged.',
    whatToDo: 'Restore it from version control, or remove it and run `assay calibrate` again.',
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
  'empty-selection': {
    meaning: 'The selection leaves no test to run.',
    whatToDo: 'Loosen the filters, or name another run with `--failed`.',
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
    whatToDo: 'Run all shards with the same settings, and merge those.',
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
    meaning: 'No case was measured more than once, so the run cannot be split.',
    whatToDo: 'Run with `--repeat 2` or more.',
  },
  'nothing-measured': {
    meaning: 'The run has no measured trial of these suites.',
    whatToDo: 'Name a run that measured these suites.',
  },
  'port-in-use': {
    meaning: 'The server cannot listen on its port.',
    whatToDo: 'Choose another `--port`, or 0 for any free port.',
  },
  'replay-unclear': {
    meaning: 'The run to be replayed cannot be determined.',
    whatToDo: 'Name it as `replay:RUN`.',
  },
  'reporter-unusable': {
    meaning: 'The module of a reporter does not have the required form.',
    whatToDo: 'Export a reporter as the message shows.',
  },
  'results-not-written': {
    meaning: 'A report or result file could not be written.',
    whatToDo: 'Check the path, the permissions and the free space.',
  },
  'run-ambiguous': {
    meaning: 'Several run ids begin with these characters.',
    whatToDo: 'Give more characters of the id.',
  },
  'run-changed': {
    meaning: 'Evals or config changed after the run was planned.',
    whatToDo: 'Undo the change, or use `--accept-changes`.',
  },
  'run-in-use': { meaning: 'Another process is writing this run.', whatToDo: 'Wait until it ends.' },
  'run-newer': { meaning: 'The run was written by a newer version of assay.', whatToDo: 'Update assay.' },
  'run-not-found': { meaning: 'No run has this name.', whatToDo: '`assay runs` lists the runs.' },
  'run-not-resumable': {
    meaning: 'This run cannot be resumed: it is a merged run, a grade run, or a run without a run spec.',
    whatToDo:
      'For a merged run, resume its source runs. For a grade run, grade its source run again. Otherwise start a new run.',
  },
  'run-not-trusted': {
    meaning: "The run belongs to another project, and grading it would execute that project's code.",
    whatToDo: 'Read that code first, then allow it with `--trust`.',
  },
  'run-unreadable': {
    meaning: 'A file of the run is damaged or cannot be read.',
    whatToDo: 'Restore the file, or name another run.',
  },
  'snapshots-ambiguous': {
    meaning: 'Two suites have the same case and target, so the token baseline is ambiguous.',
    whatToDo: 'Rename one of the cases.',
  },
  'snapshots-unreadable': {
    meaning: 'The file of token baselines is damaged.',
    whatToDo: 'Restore it, or remove it and record it again.',
  },
  'trial-ambiguous': { meaning: 'A name fits several trials.', whatToDo: 'Name one of the listed trials.' },
  'trial-not-found': {
    meaning: 'The run has no such trial.',
    whatToDo: 'Name one of the trials that the message lists.',
  },
  'unknown-reporter': {
    meaning: 'The reporter does not exist.',
    whatToDo: 'Use one of the reporters that the message lists.',
  },
  usage: {
    meaning: 'A command was called with an argument that it does not take.',
    whatToDo: '`assay COMMAND --help` shows what it takes.',
  },
} as const satisfies Readonly<Record<string, ExplainedCode>>;
