import { Argument, Command, Option } from 'commander';

import type { AccessOutput } from '../app/manage-accounts.ts';
import { ROLES, type Role } from '../core/access.ts';
import { surroundings } from './surroundings.ts';
import { writeAccess, type AccessFlags } from './write-access.ts';

const ROLE_HELP = `
Roles:
  viewer   reads everything but accounts, and writes own reviews
  member   also changes test cases, agents and runs, and manages own tokens
  admin    also manages accounts and all tokens

The accounts are in the database of DATABASE_URL, else in the embedded one in .assay/data.
`;

export function accountsCommand(done: (exitCode: number) => void): Command {
  const print = (output: AccessOutput, { json }: AccessFlags): void => {
    writeAccess(output, json === true ? 'json' : 'text');
    done(0);
  };
  const command = new Command('accounts')
    .description('manage who may use the server')
    .addHelpText('after', ROLE_HELP)
    .exitOverride();
  command
    .command('add')
    .description('add an account')
    .addArgument(new Argument('<email>', 'e-mail that identifies the account; nothing is sent to it'))
    .addOption(
      new Option('--role <role>', 'what the account may do').choices([...ROLES]).makeOptionMandatory(),
    )
    .option('--json', 'print JSON')
    .action(async (email: string, { role, ...flags }: AccessFlags & { role: Role }) => {
      const { addedAccount } = await import('../app/manage-accounts.ts');
      const { withAccess } = await import('../app/database.ts');
      print(await withAccess(surroundings(), (access) => addedAccount(access, { email, role })), flags);
    });
  command
    .command('list')
    .description('list the accounts')
    .option('--json', 'print JSON')
    .action(async (flags: AccessFlags) => {
      const { listedAccounts } = await import('../app/manage-accounts.ts');
      const { readAccess } = await import('../app/database.ts');
      print(await readAccess(surroundings(), listedAccounts), flags);
    });
  command
    .command('disable')
    .description('disable an account: its tokens are refused, and what it wrote is kept')
    .argument('<account>', 'e-mail or id')
    .option('--json', 'print JSON')
    .action(async (account: string, flags: AccessFlags) => {
      const { disabledAccount } = await import('../app/manage-accounts.ts');
      const { withAccess } = await import('../app/database.ts');
      print(await withAccess(surroundings(), (access) => disabledAccount(access, account)), flags);
    });
  return command;
}
