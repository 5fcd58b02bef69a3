import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** Starts `assay serve` or `view`. Returns { url, cpuMs(), stop() } when it listens. */
export async function served({ node, program }, args, { cwd, env = {} }) {
  const child = spawn(node, [program, ...args, '--port', '0'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  const url = await addressOf(child, () => errors);
  return {
    url: `${url}/api/v1`,
    cpuMs: () => processorMs(child.pid),
    async stop() {
      child.kill('SIGINT');
      await ended;
    },
  };
}

async function addressOf({ stdout }, errors) {
  let text = '';
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const [url] = /http:\S+(?=\s)/.exec(text) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`the server ended: ${text}${errors()}`);
}

/** User and system time. Linux counts it in hundredths of a second. */
function processorMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
