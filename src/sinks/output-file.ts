import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import type { SinkPlugin, SinkServices } from './plugin.ts';
import { makeDirectory } from '../lib/files/make-directory.ts';

/** The path of a report: the requested file, else the default one in the run directory. */
function placeOf(services: SinkServices, defaultFile: string): string {
  return services.file ?? join(services.runDirectory, defaultFile);
}

/** A sink that writes its report at the end, from the stored run. */
export function fileReport(
  about: Required<Omit<SinkPlugin, 'create'>>,
  produce: (services: SinkServices, file: OutputFile, path: string) => Promise<void>,
): SinkPlugin {
  return {
    ...about,
    create: (services) => ({
      name: about.type,
      write: () => {},
      close: () => writeReportOf(about, services, (file, path) => produce(services, file, path)),
    }),
  };
}

/** Writes the report of a sink to its file and records that it exists. */
export async function writeReportOf(
  { type, defaultFile }: { readonly type: string; readonly defaultFile: string },
  services: SinkServices,
  produce: (file: OutputFile, path: string) => Promise<void>,
): Promise<void> {
  const path = placeOf(services, defaultFile);
  await writeReport(path, (file) => produce(file, path));
  services.reports?.set(path, type);
}

export interface OutputFile {
  write(text: string): Promise<void>;
}

const CHUNK = 64 * 1024;

/** Writes a file atomically, readable only by its owner. Text is written in chunks and not kept in memory. */
export async function writeReport(path: string, produce: (file: OutputFile) => Promise<void>): Promise<void> {
  const partial = `${path}.partial`;
  makeDirectory(dirname(path));
  await rm(partial, { force: true });
  const handle = await open(partial, 'wx', 0o600);
  try {
    await chunked(handle, produce);
    await handle.close();
    await rename(partial, path);
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(partial, { force: true });
    throw error;
  }
}

async function chunked(handle: FileHandle, produce: (file: OutputFile) => Promise<void>): Promise<void> {
  let pending: string[] = [];
  let size = 0;
  const flush = async () => {
    const text = pending.join('');
    pending = [];
    size = 0;
    if (text !== '') await handle.writeFile(text);
  };
  await produce({
    write: async (text) => {
      pending.push(text);
      size += text.length;
      if (size >= CHUNK) await flush();
    },
  });
  await flush();
}
