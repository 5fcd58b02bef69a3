import { Command, Option } from 'commander';

import type { AccessOutput } from '../app/manage-accounts.ts';
import { ROLES, type Role } from '../core/access.ts';
import { endOfToken } from './option-values.ts';
import { surroundings } from './surroundings.ts';
import { writeAccess, type AccessFlags } from './write-access.ts';

const EXAMPLES = `
Examples:
  assay tokens create ann@example.com --name laptop
  assay tokens create ci@example.com --name nightly --role member --expires 90d
  assay tokens list ann@example.com
  assay tokens revoke 6f1c0f4e-5b0a-4c33-9d6e-0a1b2c3d4e5f

A program sends the token as "Authorization: Bearer TOKEN". The command line takes it from ASSAY_TOKEN.
`;

interface CreateFlags extends AccessFlags {
  readonly name: string;
  readonly role?: Role;
  readonly expires?: number;
}

export function tokensCommand(done: (exitCode: number) => void): Command {
  const print = (output: AccessOutput, { json }: AccessFlags): void => {
    writeAccess(output, json === true ? 'json' : 'text');
    done(0);
  };
  const command = new Command('tokens')
    .description('create, list and revoke API tokens of accounts')
    .addHelpText('after', EXAMPLES)
    .exitOverride();
  command
    .command('create')
    .description('create a token and print it; it is shown only once')
    .argument('<account>', 'e-mail or id')
    .requiredOption('--name <name>', 'name that says where the token is used')
    .addOption(
      new Option('--role <role>', 'role of the token (default: the role of its account)').choices([...ROLES]),
    )
    .option('--expires <when>', 'days such as 90d, or a date such as 2027-01-31 (default: never)', endOfToken)
    .option('--json', 'print JSON')
    .action(async (account: string, { name, role, expires: expiresAt, ...flags }: CreateFlags) => {
      const { createdToken } = await import('../app/manage-tokens.ts');
      const { withAccess } = await import('../app/database.ts');
      const around = surroundings();
      print(
        await withAccess(around, (access) =>
          createdToken(access, { account, name, role, expiresAt }, around.now()),
        ),
        flags,
      );
    });
  command
    .command('list')
    .description('list tokens with id, account, name and role; their secret values are never shown')
    .argument('[account]', 'e-mail or id (default: all accounts)')
    .option('--json', 'print JSON')
    .action(async (account: string | undefined, flags: AccessFlags) => {
      const { listedTokens } = await import('../app/manage-tokens.ts');
      const { readAccess } = await import('../app/database.ts');
      const around = surroundings();
      print(await readAccess(around, (access) => listedTokens(access, account, around.now())), flags);
    });
  command
    .command('revoke')
    .description('revoke a token; requests with it are refused from now on')
    .argument('<id>', 'id that `assay tokens list` shows')
    .option('--json', 'print JSON')
    .action(async (id: string, flags: AccessFlags) => {
      const { revokedToken } = await import('../app/manage-tokens.ts');
      const { withAccess } = await import('../app/database.ts');
      const around = surroundings();
      print(await withAccess(around, (access) => revokedToken(access, id, around.now())), flags);
    });
  return command;
}
