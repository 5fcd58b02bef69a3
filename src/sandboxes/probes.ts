/** What a program in a sandbox must be able to do. */
export const NEEDS = {
  'run-shell': 'run a shell',
  'read-system': 'read the programs of the system',
  'write-workspace': 'write to its workspace',
  'write-home': 'write to its home directory',
  'write-temporary': 'write temporary files',
  'know-user': 'find out its user',
  'own-server': 'connect to a server of its own',
} as const;

/** What a program in a sandbox must not be able to do. */
export const ESCAPES = {
  'read-beside': 'read a file beside its workspace',
  'list-beside': 'list the folder that contains its workspace',
  'read-other-workspace': 'read the workspace of another attempt',
  'read-operator-home': 'read your home directory',
  'read-passwords': 'read the passwords of the system',
  'read-by-link': 'read a file through a symbolic link',
  'read-by-hard-link': 'read a file through a hard link',
  'read-by-first-process': 'read a file through the root of process 1',
  'read-shared-memory': 'read shared memory of other programs',
  'see-processes': 'see other processes',
  'read-environment': 'read the environment of other processes',
  'write-beside': 'write a file beside its workspace',
  'write-system': 'write to the programs of the system',
  'write-settings': 'write to `/etc`',
  'write-root': 'write to `/`',
  'set-kernel': 'change settings of the kernel',
  'make-mount': 'mount a file system',
  'make-device': 'create a device',
  'see-disks': 'open a disk',
  'have-capabilities': 'keep rights of root',
  'gain-rights': 'gain rights through set-id programs',
  'reach-loopback': 'connect to servers of this machine',
  'reach-network': 'use a network interface',
  'reach-abstract-socket': 'connect to an abstract socket',
  'reach-socket': 'connect to a socket beside its workspace',
  'reach-engine': 'reach a container engine',
} as const;

export type Probe = keyof typeof NEEDS | keyof typeof ESCAPES;

/** What the probes look for; all paths are absolute. */
export interface ProbeFacts {
  readonly workspace: string;
  readonly home: string;
  /** A folder beside both, with `canary`, `other/canary` and the socket `s`. */
  readonly beside: string;
  readonly operatorHome: string;
  /** `device:inode` of files that an image may have too, by path. */
  readonly marks: Readonly<Partial<Record<string, string>>>;
  /** A name that only this test uses: of a file in shared memory, an abstract socket, and a variable of a process. */
  readonly token: string;
  /** A server of this machine. */
  readonly port: number;
}
