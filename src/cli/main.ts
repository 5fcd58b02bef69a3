import { Command, CommanderError } from 'commander';

import { accountsCommand } from './accounts.ts';
import { calibrateCommand } from './calibrate.ts';
import { labelCommand } from './label.ts';
import { casesCommand } from './cases.ts';
import { compareCommand } from './compare.ts';
import { dbCommand } from './db.ts';
import { doctorCommand } from './doctor.ts';
import { explainCommand } from './explain.ts';
import { explainUsageErrors } from './explain-usage-errors.ts';
import { gradeCommand } from './grade.ts';
import { initCommand } from './init.ts';
import { tellOfLateFaults } from './late-faults.ts';
import { listCommand } from './list.ts';
import { mergeCommand } from './merge.ts';
import { mockServerCommand } from './mock-server.ts';
import { planCommand } from './plan.ts';
import { reportFailure, writeFailure } from './failure.ts';
import { resumeCommand } from './resume.ts';
import { runCommand } from './run.ts';
import { runsCommand } from './runs.ts';
import { schemaCommand } from './schema.ts';
import { serveCommand } from './serve.ts';
import { showCommand } from './show.ts';
import { closeStores } from './surroundings.ts';
import { uploadCommand } from './upload.ts';
import { tokensCommand } from './tokens.ts';
import { validateCommand } from './validate.ts';
import { verifyGradersCommand } from './verify-graders.ts';
import { viewCommand } from './view.ts';
import { workerCommand } from './worker.ts';
import { workersCommand } from './workers.ts';
import { assayVersion } from '../app/version.ts';
import { hasRunForeignCode } from '../lib/modules/foreign-code.ts';
import { nearest } from '../lib/text/suggest.ts';
import { stripLine } from '../lib/text/terminal-text.ts';

const EXAMPLES = `
Examples:
  assay init                        create a config, an eval and an agent that run immediately
  assay run                         run every *.eval.yaml in this folder and below
  assay run evals --tag smoke --repeat 5
  assay show latest --failed        show why trials failed
  assay resume latest               continue after an interruption
  assay compare BASE latest         test whether a run got better or worse

Exit codes: 0 passed · 1 failed · 2 could not run · 3 inconclusive · 4 budget used up · 5 results not written · 130 interrupted
`;

/** Runs the command line and gives its exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  tellOfLateFaults();
  let code = 0;
  const done = (result: number) => {
    code = result;
  };
  const program = new Command('assay')
    .description('Test AI agents: run evals, grade the answers, and compare runs with statistics.')
    .version(assayVersion())
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('(assay --help shows the commands)')
    .helpCommand('help [command]', 'show the commands, or the options of one');
  for (const command of asked(argv)) program.addCommand(explainUsageErrors(command(done)).exitOverride());
  program.exitOverride();
  try {
    refuseForeignCommand(program, argv);
    refuseUnknownTopic(program, argv);
    await program.parseAsync([...argv]).finally(closeStores);
    return code;
  } catch (error) {
    const form = asksJson(argv) ? 'json' : 'text';
    if (!(error instanceof CommanderError)) return reportFailure(error, form);
    if (error.exitCode === 0) return 0;
    if (form === 'json') writeFailure(2, error);
    return 2;
  } finally {
    if (hasRunForeignCode()) endSoon();
  }
}

/** Command names of other tools that do not resemble our names. */
const FOREIGN_COMMANDS: Readonly<Record<string, string>> = {
  eval: 'run',
  test: 'run',
  start: 'run',
  report: 'show',
  diff: 'compare',
};

function refuseForeignCommand(program: Command, [, , name = '']: readonly string[]): void {
  const meant = Object.hasOwn(FOREIGN_COMMANDS, name) ? FOREIGN_COMMANDS[name] : undefined;
  if (meant !== undefined) program.error(`error: unknown command '${name}'\n(Did you mean ${meant}?)`);
}

/** `help` with an unknown command would print the whole help and not mention the unknown word. */
function refuseUnknownTopic(program: Command, [, , name, topic]: readonly string[]): void {
  if (name !== 'help' || topic === undefined || topic.startsWith('-')) return;
  if (Object.hasOwn(commands, topic) || topic === 'help') return;
  const meant = nearest(topic, Object.keys(commands));
  const suggestion = meant === undefined ? '' : `\n(Did you mean ${meant}?)`;
  program.error(`error: unknown command '${stripLine(topic)}'${suggestion}`);
}

function asksJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? undefined : end).includes('--json');
}

/** Time that timers and servers of a suite get to finish after the command is done, in milliseconds. */
const LEFT_OPEN_MS = 1000;

/** Otherwise a timer or server that a suite did not close would keep this process alive for ever. */
function endSoon(): void {
  setTimeout(() => process.exit(), LEFT_OPEN_MS).unref();
}

/** The named command. If the first word is not a command: all commands, for the list and suggestions. */
function asked([, , name = '']: readonly string[]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return command === undefined ? Object.values(commands) : [command];
}

const commands: Readonly<Record<string, (done: (exitCode: number) => void) => Command>> = {
  run: runCommand,
  resume: resumeCommand,
  grade: gradeCommand,
  merge: mergeCommand,
  compare: compareCommand,
  plan: planCommand,
  show: showCommand,
  view: viewCommand,
  serve: serveCommand,
  explain: explainCommand,
  runs: runsCommand,
  validate: validateCommand,
  cases: casesCommand,
  init: initCommand,
  schema: schemaCommand,
  list: listCommand,
  doctor: doctorCommand,
  'verify-graders': verifyGradersCommand,
  label: labelCommand,
  calibrate: calibrateCommand,
  'mock-server': mockServerCommand,
  upload: uploadCommand,
  db: dbCommand,
  accounts: accountsCommand,
  tokens: tokensCommand,
  worker: workerCommand,
  workers: workersCommand,
};
