import { Command, Option } from 'commander';

import { given } from '../lib/given.ts';
import { portNumber } from './option-values.ts';
import { interrupted, openInBrowser, tellOfFault } from './serving.ts';
import { surroundings } from './surroundings.ts';

interface ServeFlags {
  readonly host: string;
  readonly port: number;
  readonly auth: 'none' | 'token';
  readonly config?: string;
  readonly migrate: boolean;
  readonly open?: boolean;
  readonly resume?: boolean;
  readonly worker: boolean;
}

const EXAMPLES = `
Examples:
  assay serve                                serve this project at http://127.0.0.1:4640
  assay serve --host 0.0.0.0 --auth token    serve a team; everybody signs in with a token

The server keeps its data in the PostgreSQL database of DATABASE_URL (15 or newer).
Without DATABASE_URL, it is an embedded database in .assay/data, next to the config.
While the server runs, \`assay cases\` in this folder uses it. Ctrl-C stops the server.
`;

const NO_AUTH = 'warning: no authentication: every program on this machine may use this server\n';

export function serveCommand(done: (exitCode: number) => void): Command {
  return new Command('serve')
    .description('serve test cases, runs and the dashboard from a database')
    .option('--host <host>', 'address to listen on; others than loopback need --auth token', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0: any free port', portNumber, 4640)
    .addOption(
      new Option(
        '--auth <how>',
        'who may use the server: everybody (none), or only people with an API token (token)',
      )
        .choices(['none', 'token'])
        .default('none'),
    )
    .option('--config <file>', 'config file (default: the nearest assay.config.*)')
    .option('--resume', 'continue runs that were interrupted')
    .option('--no-worker', 'let `assay worker` processes run all trials')
    .option('--no-migrate', 'refuse a database with an older schema instead of migrating it')
    .option('--open', 'open the dashboard in your browser')
    .addHelpText('after', EXAMPLES)
    .action(
      async ({ host, port, auth, config, migrate, open = false, resume = false, worker }: ServeFlags) => {
        const { openServe } = await import('../server/open-serve.ts');
        const around = { ...surroundings(), ...(worker ? {} : { hands: 'workers' as const }) };
        const over = interrupted();
        const schema = migrate ? 'migrate' : 'as-it-is';
        const run = { resumes: resume, onFault: tellOfFault, ...given({ config }) };
        const request = { host, port, auth, schema, ...run } as const;
        await using server = await openServe(request, around);
        if (auth === 'none') process.stderr.write(NO_AUTH);
        process.stdout.write(`${server.url}  (Ctrl-C to stop)\n`);
        if (open) await openInBrowser(server.url, around);
        await over;
        done(0);
      },
    );
}
