import { createJiti } from 'jiti';
import { inRoot } from '../lib/paths.mjs';
import { title } from './program.mjs';

const jiti = createJiti(import.meta.url, { fsCache: false });

/** The codes that errors carry, from the tables in which they are declared. */
export async function errorsPage() {
  const [suites, config, commands, database, api, kinds, details] = await Promise.all([
    tableOf('suite-codes', 'SUITE_CODES'),
    tableOf('config-codes', 'CONFIG_CODES'),
    tableOf('command-codes', 'COMMAND_CODES'),
    tableOf('database-codes', 'DATABASE_CODES'),
    tableOf('api-codes', 'API_CODES'),
    tableOf('error-kinds', 'ERROR_KINDS'),
    tableOf('error-details', 'ERROR_DETAILS'),
  ]);
  return [
    title('Error codes', 'from src/core/error-codes'),
    'Look up a code here when its message alone does not help. Codes never change; messages may.\n',
    'Problems are printed as `file:line:column  code  message  (hint)`, all at once. Nothing runs (exit code 2).\n',
    '## Problems of evals\n',
    'Stage `authoring`: eval files, code suites, stored test cases and files of labels.\n',
    problems(suites),
    '## Problems of the config\n',
    'Stage `authoring`: the config, targets, models, judges and gates.\n',
    problems(config),
    '## Errors of commands\n',
    'Stage `plan`, or `log` where the files of a run are at fault.\n',
    problems(commands),
    '## Errors of the database\n',
    'Stage `plan`; `lease-lost` while a run is written.\n',
    problems(database),
    '## Errors of the API\n',
    '`error.code` of an answer, beside the codes of commands.\n',
    problems(api),
    '## Kinds of errored trials\n',
    '`error.kind` of a row. How errored trials count: [Reading results](../guide/results.md#errored).\n',
    ofTrials(kinds),
    '## Details of errored trials\n',
    '`error.detail` of a row, beside its kind; of judges, the `failureCode` of a grade. `http-503` and the like quote a status, `econnrefused` and the like an error of the system. Codes of the config can stand here too.\n',
    ofTrials(details),
  ].join('\n');
}

async function tableOf(name, table) {
  const codes = await jiti.import(inRoot(`src/core/error-codes/${name}.ts`));
  return Object.entries(codes[table]);
}

function problems(entries) {
  const rows = entries.map(([code, { meaning, whatToDo }]) => row([`\`${code}\``, meaning, whatToDo]));
  return `| code | meaning | what to do |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
}

function ofTrials(entries) {
  const rows = entries.map(([code, { stage, meaning, whatToDo }]) =>
    row([`\`${code}\``, `\`${stage}\``, meaning, whatToDo]),
  );
  return `| code | stage | meaning | what to do |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}

function row(cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
