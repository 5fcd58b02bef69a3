import { createJiti } from 'jiti';
import { inRoot } from '../lib/paths.mjs';
import { messages } from './messages.mjs';
import { title } from './program.mjs';

const jiti = createJiti(import.meta.url, { fsCache: false });

/** The declared codes of errors, and all messages of the program. */
export async function errorsPage() {
  const [suites, config, sandboxes, commands, database, access, api, kinds, details] = await Promise.all([
    tableOf('suite-codes', 'SUITE_CODES'),
    tableOf('config-codes', 'CONFIG_CODES'),
    tableOf('sandbox-codes', 'SANDBOX_CODES'),
    tableOf('command-codes', 'COMMAND_CODES'),
    tableOf('database-codes', 'DATABASE_CODES'),
    tableOf('access-codes', 'ACCESS_CODES'),
    tableOf('api-codes', 'API_CODES'),
    tableOf('error-kinds', 'ERROR_KINDS'),
    tableOf('error-details', 'ERROR_DETAILS'),
  ]);
  return [
    title('Error codes', 'from src/core/error-codes'),
    'If a message alone does not help you, look up its code here. Codes never change, but messages may.\n',
    'If evals or the config have problems, assay prints all of them, as `file:line:column  code  message  (hint)`. Then it runs nothing (exit code 2).\n',
    '## Problems of evals\n',
    'These problems have the stage `authoring`. They concern eval files, code suites, stored test cases and files of labels.\n',
    problems(suites),
    '## Problems of the config\n',
    'These problems have the stage `authoring`. They concern the config, targets, models, judges and gates.\n',
    problems(config),
    '## Problems with sandboxes\n',
    'These problems have the stage `authoring` or `plan`. They are found before the first trial, except `evidence-changed`: it makes a trial errored during the run.\n',
    problems(sandboxes),
    '## Errors of commands\n',
    'These errors have the stage `plan`. Problems with the files of a run have the stage `log`.\n',
    problems(commands),
    '## Errors of the database\n',
    'These errors have the stage `plan`. `lease-lost` can also occur while a run is being written.\n',
    problems(database),
    '## Errors of accounts and tokens\n',
    'These errors have the stage `plan`. The API returns these codes as well.\n',
    problems(access),
    '## Errors of the API\n',
    'The API returns these codes as `error.code`. It can also return codes of commands.\n',
    problems(api),
    '## Kinds of errored trials\n',
    'Rows of `results.jsonl` contain these codes as `error.kind`. How errored trials count: [Reading results](../guide/results.md#errored).\n',
    codesOfTrials(kinds),
    '## Details of errored trials\n',
    'Rows of `results.jsonl` contain these codes as `error.detail`. Grades contain the codes of judges as `failureCode`. Codes such as `http-503` contain an HTTP status, and codes such as `econnrefused` come from the system. `error.detail` can also contain a code from "Problems of the config". Each of the codes `port-in-use`, `workspace-bootstrap` and `workspace-template` is in two tables of this page. The stage shows which row applies.\n',
    codesOfTrials(details),
    '## All messages\n',
    'Search here for a message. `{name}` stands for a value. `{MCP_CONFIG}`, `{PROMPT}`, `{PROMPT_FILE}`, `{OUTPUT_FILE}` and `{PORT}` are printed exactly like this. The last column is the hint that assay prints with the message. For a message without a hint, this column repeats the advice from the tables above.\n',
    ofMessages({
      ofProblems: [...suites, ...config, ...sandboxes, ...commands, ...database, ...access, ...api],
      ofTrials: [...kinds, ...details],
    }),
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

function codesOfTrials(entries) {
  const rows = entries.map(([code, { stage, meaning, whatToDo }]) =>
    row([`\`${code}\``, `\`${stage}\``, meaning, whatToDo]),
  );
  return `| code | stage | meaning | what to do |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}

/** Some codes stand in two tables, with different advice. */
function ofMessages({ ofProblems, ofTrials }) {
  const [problem, trial] = [new Map(ofProblems), new Map(ofTrials)];
  const adviceFor = ({ code, isOfTrial }) =>
    ((isOfTrial ? trial.get(code) : problem.get(code)) ?? problem.get(code) ?? trial.get(code)).whatToDo;
  const collected = messages(new Map([...ofProblems, ...ofTrials]));
  const declared = [...said(ofProblems, false), ...said(ofTrials, true)];
  const rows = [...collected, ...declared].map((message) =>
    row([
      `\`${message.code}\``,
      plain(message.text),
      message.hint === undefined ? adviceFor(message) : plain(message.hint),
    ]),
  );
  return `| code | message | what to do |\n| --- | --- | --- |\n${[...new Set(rows)].toSorted().join('\n')}\n`;
}

/** Messages that the tables declare. */
function said(entries, isOfTrial) {
  return entries.flatMap(([code, { says = [] }]) =>
    says.map((each) => ({ code, isOfTrial, ...(typeof each === 'string' ? { text: each } : each) })),
  );
}

/** A message on one line, without what Markdown would take for markup outside of code. */
function plain(text) {
  const pieces = text.trim().replaceAll(/\s+/g, ' ').split('`');
  return pieces
    .map((piece, index) => (index % 2 === 0 ? piece.replaceAll(/[<>*_[\]]/g, '\\$&') : piece))
    .join('`');
}

function row(cells) {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
