import { existsSync } from 'node:fs';
import { basename } from 'node:path';

import { AssayError, messageOf } from '../../core/errors.ts';
import type { BenchmarkReporter } from '../../core/benchmark-reporter.ts';
import type { Sink } from '../../core/log.ts';
import type { SinkPlugin, SinkServices } from '../../sinks/plugin.ts';
import { isObject } from '../../lib/json.ts';
import { inForeignCode, lateScope, settleForeignCode } from '../../lib/modules/foreign-code.ts';
import { importModule } from '../../lib/modules/import-module.ts';

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
export async function moduleReporter(path: string): Promise<LoadedReporter> {
  if (!existsSync(path)) throw unusable(path, 'there is no such file');
  const create = await exported(path);
  if (isBenchmarkReporter(create)) return { plugin: silent(path), hooks: guarded(path, create) };
  if (typeof create !== 'function')
    throw unusable(path, 'its default export is neither a function nor an object with hooks');
  const plugin: SinkPlugin = {
    type: basename(path),
    summary: path,
    create: (services) => {
      const sink: unknown = made(path, create as CreateReporter, services);
      if (!isSink(sink)) throw unusable(path, 'what its default export gives back has no `write`');
      return {
        name: sink.name ?? basename(path),
        write: (event) => settleForeignCode(`the reporter ${path}`, () => sink.write(event)),
        close: () => settleForeignCode(`the reporter ${path}`, () => sink.close?.()),
      };
    },
  };
  return { plugin };
}

/** A reporter as its module gave it. */
export interface LoadedReporter {
  readonly plugin: SinkPlugin;
  /** Of one that is told of suites and cases. */
  readonly hooks?: BenchmarkReporter;
}

const HOOKS: readonly (keyof BenchmarkReporter)[] = [
  'onSuiteStart',
  'onCaseStart',
  'onRunnerStart',
  'onRunnerFinish',
  'onCaseFinish',
  'onSuiteFinish',
  'onError',
];

function isBenchmarkReporter(value: unknown): value is BenchmarkReporter {
  return isObject(value) && HOOKS.some((name) => typeof value[name] === 'function');
}

/** What a hook does wrong is its own failure, also where nobody catches it. */
function guarded(path: string, reporter: BenchmarkReporter): BenchmarkReporter {
  const hooks = HOOKS.filter((name) => typeof reporter[name] === 'function').map((name) => [
    name,
    (event: never) => settleForeignCode<void>(path, () => reporter[name]?.(event)),
  ]);
  return Object.fromEntries(hooks) as BenchmarkReporter;
}

/** Its hooks are told by a sink of their own. */
function silent(path: string): SinkPlugin {
  return {
    type: basename(path),
    summary: path,
    create: () => ({ name: basename(path), write: () => {} }),
  };
}

const USE = 'export default defineReporter((run) => ({ name, write(event) { ... }, close() { ... } }))';

async function exported(path: string): Promise<unknown> {
  try {
    const { default: main, reporter } = await importModule(path);
    return main ?? reporter;
  } catch (error) {
    throw unusable(path, messageOf(error), error);
  }
}

function made(path: string, create: CreateReporter, services: SinkServices): unknown {
  try {
    return inForeignCode(lateScope(`the reporter ${path}`), () => create(services));
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
