import { Argument, Command, CommanderError, Option } from 'commander';
import { expect, test } from 'vitest';

import { explainUsageErrors } from './explain-usage-errors.ts';

test.each([
  [
    ['add', '--role', 'viewer'],
    "error: missing required argument 'email'\n  <email>: e-mail that identifies the account\n",
  ],
  [
    ['add', 'ann@example.com'],
    "error: required option '--role <role>' not specified\n  --role <role>: what the account may do; one of viewer, admin\n",
  ],
  [
    ['add', 'ann@example.com', '--limit'],
    "error: option '--limit <usd>' argument missing\n  --limit <usd>: cost limit in US dollars\n",
  ],
  [
    ['add', '--role', 'viewer', '--colour'],
    "error: unknown option '--colour'\n  assay accounts add --help shows all options\n",
  ],
  [['add', '--role', 'viewer', '--rol'], "error: unknown option '--rol'\n(Did you mean --role?)\n"],
  [['remove'], "error: unknown command 'remove'\n  assay accounts --help shows all commands\n"],
  [['list', 'all'], "error: argument 'all' is invalid. Allowed choices are active, disabled.\n"],
  [
    ['add', 'ann@example.com', '--role', 'owner'],
    "error: option '--role <role>' argument 'owner' is invalid. Allowed choices are viewer, admin.\n",
  ],
])('the arguments %j are refused with advice', async (args, told) => {
  const { program, errors } = openProgram();
  await expect(program.parseAsync(['accounts', ...args], { from: 'user' })).rejects.toThrow(CommanderError);
  expect(errors.join('')).toBe(told);
});

/** `assay accounts add`, and the texts that it writes to stderr. */
function openProgram() {
  const errors: string[] = [];
  const writeErr = (text: string) => void errors.push(text);
  const add = new Command('add')
    .argument('<email>', 'e-mail that identifies the account')
    .addOption(
      new Option('--role <role>', 'what the account may do')
        .choices(['viewer', 'admin'])
        .makeOptionMandatory(),
    )
    .option('--limit <usd>', 'cost limit in US dollars')
    .exitOverride()
    .configureOutput({ writeErr });
  const list = new Command('list')
    .addArgument(new Argument('[which]', 'which accounts').choices(['active', 'disabled']))
    .exitOverride()
    .configureOutput({ writeErr });
  const accounts = new Command('accounts')
    .addCommand(add)
    .addCommand(list)
    .exitOverride()
    .configureOutput({ writeErr });
  const program = new Command('assay').addCommand(explainUsageErrors(accounts)).exitOverride();
  return { program, errors };
}
