import { lstatSync, readlinkSync } from 'node:fs';

export const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'] as const;

/** What programs need to start, to name users and files, to know the time and to check certificates. */
const SETTINGS = [
  'alternatives',
  'ca-certificates',
  'ca-certificates.conf',
  'group',
  'host.conf',
  'hosts',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'passwd',
  'pki',
  'protocols',
  'services',
  'ssl',
  'timezone',
];

/** Needed to find other machines. */
const NAME_SERVERS = 'resolv.conf';

const EMPTY_FOLDERS = ['/tmp', '/var/tmp', '/run', '/home', '/dev/shm'];

/** Files of root are also files of root inside, so a sandbox of root could change the kernel. */
const KERNEL = process.getuid?.() === 0 ? ['--ro-bind', '/proc/sys', '/proc/sys'] : [];

let known: readonly string[] | undefined;

/** The arguments of bubblewrap for the read-only system, new `/proc` and `/dev`, and empty folders for all else. */
export function systemArguments(network: 'none' | 'host'): readonly string[] {
  known ??= SYSTEM_FOLDERS.flatMap(mounted);
  const settings = network === 'host' ? [...SETTINGS, NAME_SERVERS] : SETTINGS;
  return [
    ...known,
    ...settings.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...'--proc /proc'.split(' '),
    ...KERNEL,
    ...'--dev /dev'.split(' '),
    ...EMPTY_FOLDERS.flatMap((path) => ['--tmpfs', path]),
  ];
}

/** On many systems `/bin` and `/lib` are links into `/usr`. */
function mounted(path: string): readonly string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}
