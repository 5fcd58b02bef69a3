import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A server of the program that runs until it is disposed. */
export interface PageServer extends AsyncDisposable {
  readonly address: string;
}

/** The server of a page, on any free port: the page's own may be in use on the machine of the test. */
export async function startPageServer(program: string, command: string, cwd: string): Promise<PageServer> {
  const args = [...command.trim().split(' ').slice(2), '--port', '0'];
  const server = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  server.stderr.on('data', (text) => (printed += String(text)));
  let address: string | undefined;
  for await (const chunk of server.stdout.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    address = /http:\/\/[\d.]+:\d+/.exec(printed)?.[0];
    if (address !== undefined) break;
  }
  if (address === undefined) throw new Error(`the server printed no address: ${printed}`);
  const ended = once(server, 'exit');
  return {
    address,
    async [Symbol.asyncDispose]() {
      server.kill('SIGINT');
      await ended;
    },
  };
}
