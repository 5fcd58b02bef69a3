import { tmpdir } from 'node:os';

import type { SandboxPlace } from '../core/sandbox.ts';
import { decodeUtf8 } from '../lib/process/decode-utf8.ts';
import { findProgram } from '../lib/process/find-program.ts';
import { runProcess } from '../lib/process/run-process.ts';
import { BUBBLEWRAP, namespaceSandbox } from './namespace.ts';
import type { Unavailable } from './unavailable.ts';

/** Starts an empty program in namespaces; undefined when that works. */
export async function namespaceFault(
  { directory, operatorEnvironment }: SandboxPlace,
  signal: AbortSignal,
): Promise<Unavailable | undefined> {
  if (process.platform !== 'linux') {
    return { why: 'namespaces exist only on Linux', hint: 'use the level `process` on this machine' };
  }
  const found = await findProgram(BUBBLEWRAP, { cwd: directory, env: operatorEnvironment });
  if (found === undefined) return { why: 'bubblewrap (bwrap) is not installed', hint: INSTALL };
  const { PATH = '/usr/bin:/bin' } = operatorEnvironment;
  const sandbox = namespaceSandbox({ network: 'none' }, { directory, operatorEnvironment });
  await using entered = await sandbox.enter({ command: ['true'], cwd: '/', env: { PATH } }, { writable: [] });
  const result = await runProcess({ ...entered.start, cwd: tmpdir(), timeoutMs: 10_000 }, signal);
  if (result.outcome === 'exited' && result.exitCode === 0) return undefined;
  const [said = ''] = decodeUtf8(result.stderr).trim().split('\n');
  return { why: said === '' ? `${found} does not work` : said, hint: ALLOW };
}

const INSTALL = 'install it: `apt-get install bubblewrap`, `dnf install bubblewrap` or `apk add bubblewrap`';

const ALLOW =
  'allow user namespaces: `sysctl user.max_user_namespaces=15000`, on Ubuntu also `sysctl kernel.apparmor_restrict_unprivileged_userns=0`';
