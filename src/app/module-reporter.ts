import { existsSync } from 'node:fs';
import { basename } from 'node:path';

import { AssayError, messageOf } from '../core/errors.ts';
import type { Sink, SinkPlugin, SinkServices } from '../core/log.ts';
import { importModule } from '../lib/modules/import-module.ts';

/** Makes the sink of one run. */
export type CreateReporter = (services: SinkServices) => Sink;

/** Types a reporter, the default export of a module that `--reporter` names; it comes back as it is. */
export function defineReporter(create: CreateReporter): CreateReporter {
  return create;
}

/** Whether a reporter is named by the path of its module. */
export function isModuleReporter(name: string): boolean {
  return /^\.{0,2}\/|^[A-Za-z]:[\\/]|\.[cm]?[jt]s$/.test(name);
}

/** Loads the module of a reporter, before anything is run. */
export async function moduleReporter(path: string): Promise<SinkPlugin> {
  if (!existsSync(path)) throw unusable(path, 'there is no such file');
  const create = await defaultExport(path);
  if (typeof create !== 'function') throw unusable(path, 'it has no function as its default export');
  return {
    type: basename(path),
    summary: path,
    create: (services) => {
      const sink: unknown = made(path, create as CreateReporter, services);
      if (!isSink(sink)) throw unusable(path, 'what its default export gives back has no `write`');
      return {
        name: sink.name ?? basename(path),
        write: (event) => sink.write(event),
        close: () => sink.close?.(),
      };
    },
  };
}

const USE = 'export default defineReporter((run) => ({ name, write(event) { ... }, close() { ... } }))';

async function defaultExport(path: string): Promise<unknown> {
  try {
    return (await importModule(path))['default'];
  } catch (error) {
    throw unusable(path, messageOf(error), error);
  }
}

function made(path: string, create: CreateReporter, services: SinkServices): unknown {
  try {
    return create(services);
  } catch (error) {
    throw unusable(path, messageOf(error), error);
  }
}

function isSink(value: unknown): value is Omit<Sink, 'name'> & { readonly name?: string } {
  return typeof (value as { write?: unknown } | null | undefined)?.write === 'function';
}

function unusable(path: string, what: string, cause?: unknown): AssayError {
  const message = `the reporter ${path} cannot be used: ${what}`;
  return new AssayError('reporter-unusable', message, { stage: 'plan', hint: USE, cause });
}
