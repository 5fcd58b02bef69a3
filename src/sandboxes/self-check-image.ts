import { chmodSync, lstatSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Mount } from '../core/sandbox.ts';
import { removeTree } from '../lib/files/remove-tree.ts';
import { temporaryFolder } from '../lib/files/temporary-folder.ts';
import { OWN_TOKEN } from '../lib/process/own-token.ts';
import { askEngine, type Engine, type EngineAnswer } from './engine.ts';
import { processLabel } from './left-containers.ts';
import { SYSTEM_FOLDERS } from './system-view.ts';

/** An image without files, for which the system folders of this machine are mounted. Removed when disposed. */
export interface SelfCheckImage extends AsyncDisposable {
  readonly made: EngineAnswer;
  readonly name: string;
  readonly mount: readonly Mount[];
}

/** Makes an image without a registry, to try what containers can do on this machine. */
export async function selfCheckImage(engine: Engine): Promise<SelfCheckImage> {
  const folder = await temporaryFolder('i');
  const name = `localhost/assay-self-check:${OWN_TOKEN}`;
  const root = join(folder, 'root');
  const mount: Mount[] = [];
  try {
    mkdirSync(root);
    for (const path of [...OWN_FOLDERS, ...SYSTEM_FOLDERS]) {
      const found = lstatSync(path, { throwIfNoEntry: false });
      if (found?.isSymbolicLink()) symlinkSync(readlinkSync(path), join(root, path));
      else mkdirSync(join(root, path), { recursive: true });
      if (found?.isDirectory() && !OWN_FOLDERS.includes(path)) mount.push({ from: path });
    }
    // Some runtimes give an empty folder the permissions of the image, whatever they are told.
    chmodSync(join(root, 'tmp'), 0o1777);
    const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
    writeFileSync(join(root, 'etc/passwd'), `agent:x:${uid}:${gid}::/tmp:/bin/sh\n`);
    const archive = join(folder, 'image.tar');
    const packed = await askEngine({ ...engine, command: ['tar'] }, ['-cf', archive, '-C', root, '.']);
    const made = packed.isDone ? await askEngine(engine, ['import', ...labelled(), archive, name]) : packed;
    return {
      made,
      name,
      mount,
      async [Symbol.asyncDispose]() {
        await askEngine(engine, ['rmi', '--force', name]);
      },
    };
  } finally {
    await removeTree(folder).catch(() => {});
  }
}

/** So that the next process finds the image of a killed one. */
function labelled(): readonly string[] {
  const [key, value] = processLabel().split('=');
  return ['--change', `LABEL ${key}="${value}"`];
}

const OWN_FOLDERS = ['/etc', '/tmp', '/proc', '/sys', '/dev', '/run', '/home'];
