import { tmpdir } from 'node:os';

import { messageOf } from '../core/errors.ts';
import type { SandboxPlace } from '../core/sandbox.ts';
import { decodeUtf8 } from '../lib/process/decode-utf8.ts';
import { findProgram } from '../lib/process/find-program.ts';
import { runProcess } from '../lib/process/run-process.ts';
import { BUBBLEWRAP, NSENTER } from './bubblewrap.ts';
import { namespaceSandbox } from './namespace.ts';
import type { Unavailable } from './unavailable.ts';

/** Starts an empty program in namespaces; undefined when that works. */
export async function namespaceFault(
  { directory, operatorEnvironment }: SandboxPlace,
  signal: AbortSignal,
): Promise<Unavailable | undefined> {
  if (process.platform !== 'linux') {
    return { why: 'namespaces exist only on Linux', hint: 'use the level `process` on this machine' };
  }
  const place = { cwd: directory, env: operatorEnvironment };
  const found = await findProgram(BUBBLEWRAP, place);
  if (found === undefined) return { why: 'bubblewrap (bwrap) is not installed', hint: INSTALL };
  if ((await findProgram(NSENTER, place)) === undefined)
    return { why: 'nsenter is not installed', hint: INSTALL_NSENTER };
  const said = await whyNotStarted({ directory, operatorEnvironment }, signal);
  signal.throwIfAborted();
  if (said === undefined) return undefined;
  const [why = ''] = said.trim().split('\n');
  const hint = /unknown option/i.test(why) ? UPDATE : ALLOW;
  return { why: why === '' ? `${found} does not work` : why, hint };
}

/** With the default network, which needs most of the machine. */
async function whyNotStarted(place: SandboxPlace, signal: AbortSignal): Promise<string | undefined> {
  await using sandbox = namespaceSandbox({}, place);
  const { PATH = '/usr/bin:/bin' } = place.operatorEnvironment;
  try {
    await using entered = await sandbox.enter(
      { command: ['true'], cwd: '/', env: { PATH } },
      { writable: [] },
    );
    const result = await runProcess({ ...entered.start, cwd: tmpdir(), timeoutMs: 10_000 }, signal);
    const isFine = result.outcome === 'exited' && result.exitCode === 0;
    return isFine ? undefined : decodeUtf8(result.stderr);
  } catch (error) {
    return messageOf(error);
  }
}

const INSTALL = 'install it: `apt-get install bubblewrap`, `dnf install bubblewrap` or `apk add bubblewrap`';

const UPDATE = 'install bubblewrap 0.4 or newer, and a newer util-linux if nsenter is named';

const INSTALL_NSENTER =
  'install util-linux: `apt-get install util-linux`, `dnf install util-linux` or `apk add util-linux`';

const ALLOW =
  'allow user namespaces: `sysctl user.max_user_namespaces=15000`, on Ubuntu also `sysctl kernel.apparmor_restrict_unprivileged_userns=0`';
