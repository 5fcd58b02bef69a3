import { existsSync } from 'node:fs';
import { basename } from 'node:path';

import { AssayError, messageOf } from '../../core/errors.ts';
import type { BenchmarkReporter } from '../../core/benchmark-reporter.ts';
import type { Sink } from '../../core/log.ts';
import type { SinkPlugin, SinkServices } from '../../sinks/plugin.ts';
import { isObject } from '../../lib/json.ts';
import { inForeignCode, lateScope, settleForeignCode } from '../../lib/modules/foreign-code.ts';
import { importModule } from '../../lib/modules/import-module.ts';

/** Creates the sink of one run. */
export type CreateReporter = (services: SinkServices) => Sink;

/** Types the default export of a reporter module (`--reporter ./module.ts`). Returns its argument. */
export function defineReporter(create: CreateReporter): CreateReporter {
  return create;
}

/** Whether the name of a reporter is the path of a module. */
export function isModuleReporter(name: string): boolean {
  return /^\.{0,2}\/|^[A-Za-z]:[\\/]|\.[cm]?[jt]s$/.test(name);
}

/** Loads the module of a reporter before the run. Throws `reporter-unusable`. */
export async function moduleReporter(path: string): Promise<LoadedReporter> {
  if (!existsSync(path)) throw unusable(path, 'the file does not exist');
  const create = await exported(path);
  if (isBenchmarkReporter(create)) return { plugin: silent(path), hooks: guarded(path, create) };
  if (typeof create !== 'function')
    throw unusable(path, 'its default export must be a function or an object with hooks');
  const plugin: SinkPlugin = {
    type: basename(path),
    summary: path,
    create: (services) => {
      const sink: unknown = made(path, create as CreateReporter, services);
      if (!isSink(sink)) throw unusable(path, 'the result of its default export has no `write`');
      return {
        name: sink.name ?? basename(path),
        write: (event) => settleForeignCode(`the reporter ${path}`, () => sink.write(event)),
        close: () => settleForeignCode(`the reporter ${path}`, () => sink.close?.()),
      };
    },
  };
  return { plugin };
}

/** A reporter loaded from a module. */
export interface LoadedReporter {
  readonly plugin: SinkPlugin;
  /** Hooks of a reporter that gets suites and cases. */
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

/** An error of a hook counts as a failure of the reporter, even if it is thrown later. */
function guarded(path: string, reporter: BenchmarkReporter): BenchmarkReporter {
  const hooks = HOOKS.filter((name) => typeof reporter[name] === 'function').map((name) => [
    name,
    (event: never) => settleForeignCode<void>(path, () => reporter[name]?.(event)),
  ]);
  return Object.fromEntries(hooks) as BenchmarkReporter;
}

/** A sink that does nothing, because another sink calls the hooks. */
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
  const message = `cannot use the reporter ${path}: ${what}`;
  return new AssayError('reporter-unusable', message, { stage: 'plan', hint: USE, cause });
}
