import { temporaryFolder } from '../../lib/files/temporary-folder.ts';
import { removeTree } from '../../lib/files/remove-tree.ts';

/** One cache folder for all attempts of a run; created at the first use, and removed with the target. */
export interface SharedCache extends AsyncDisposable {
  /** Absolute. */
  folder(): Promise<string>;
}

export function sharedCache(): SharedCache {
  let made: Promise<string> | undefined;
  return {
    folder() {
      made ??= temporaryFolder('c');
      return made;
    },
    async [Symbol.asyncDispose]() {
      const folder = await made?.catch(() => undefined);
      if (folder !== undefined) await removeTree(folder).catch(() => {});
    },
  };
}
