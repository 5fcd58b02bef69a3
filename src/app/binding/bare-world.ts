import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { World } from '../../core/target.ts';
import { temporaryFolderSync } from '../../lib/files/temporary-folder.ts';
import { ownMarker } from '../../lib/process/own-token.ts';

/** A world without tools, workspace and history, for one question outside a run. Call `remove` to delete its artifacts. */
export function bareWorld(suite: 'judge' | 'probe', name: string, repetition = 1) {
  const artifacts = passingArtifacts();
  const trial = {
    runId: suite,
    key: `${suite}/${suite}/${encodeURIComponent(name)}/r${repetition}`,
    attempt: 1,
    suite,
    caseId: suite,
    target: name,
    repetition,
    seed: 0,
  };
  const marker = ownMarker();
  return { trial, history: [], artifacts, marker, pulse: () => {} } satisfies World;
}

/** Temporary files of the program. */
function passingArtifacts() {
  let made: string | undefined;
  const directory = (): string => (made ??= temporaryFolderSync('judge'));
  return {
    directory,
    scratch: directory,
    write: async (file: string, content: string | Uint8Array) =>
      writeFileSync(join(directory(), basename(file)), content, { mode: 0o600 }),
    stream: (file: string) => ({
      write: (chunk: Uint8Array) => appendFileSync(join(directory(), basename(file)), chunk, { mode: 0o600 }),
      end: () => {},
    }),
    remove: () => {
      if (made !== undefined) rmSync(made, { recursive: true, force: true });
    },
  };
}
