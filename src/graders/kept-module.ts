import { resolve } from 'node:path';

import type { Finding } from '../core/grade.ts';
import type { GraderServices } from '../core/plugin.ts';
import { isObject } from '../lib/json.ts';
import { ownProgram } from '../lib/modules/own-file.ts';
import { checkPool, type ThreadKind } from './check/check-pool.ts';
import { startLineProcess } from './check/line-process.ts';
import type { Printed } from './check/printed-output.ts';
import { findingOf, ScriptError } from './code-judge-result.ts';
import type { ScriptConfig } from './code-judge-script.ts';

export interface ModuleQuestion {
  readonly check: { readonly path: string };
  readonly facts: { readonly document: object; readonly variables: Readonly<Record<string, string>> };
}

interface Asked {
  /** Absolute. */
  readonly path: string;
  /** What its function gets, as JSON. */
  readonly document: object;
  /** `ASSAY_...` of its trial. */
  readonly variables: Readonly<Record<string, string>>;
  readonly services: GraderServices;
}

/**
 * Asks a grader that is a module. Its process is kept for further trials, in the working directory and with the
 * environment that a process of its own would have.
 */
export async function askModule(
  config: ScriptConfig,
  { path, document, variables, services }: Asked,
  signal: AbortSignal,
): Promise<Finding> {
  const { directory, environment } = services;
  const kind = kindIn(resolve(directory, config.cwd ?? '.'));
  const facts = { document, variables: { ...config.env, ...variables } };
  const limits = { timeoutMs: config.timeout_ms, signal };
  const said = await checkPool(environment, kind).ask({ check: { path }, facts }, limits);
  const { stdout = '', stderr = '' } = said.printed ?? {};
  const end = { exitCode: 0, signal: null, stdout, stderr };
  if ('fault' in said) throw new ScriptError(`the grader could not grade: ${said.fault}`, end);
  return findingOf({ ...end, stdout: `${stdout}\n${said.answer}` });
}

/** Starts the process of a module before there is something to grade. */
export function prepareModule({ cwd }: Pick<ScriptConfig, 'cwd'>, services: GraderServices): void {
  const { directory, environment } = services;
  checkPool(environment, kindIn(resolve(directory, cwd ?? '.'))).prepare();
}

type ModuleSaid = ({ readonly answer: string } | { readonly fault: string }) & { readonly printed?: Printed };

const kinds = new Map<string, ThreadKind<ModuleSaid>>();

function kindIn(cwd: string): ThreadKind<ModuleSaid> {
  const kind: ThreadKind<ModuleSaid> = kinds.get(cwd) ?? {
    noun: 'process',
    start: (environment) =>
      startLineProcess({
        command: ownProgram('graders/kept-module-host'),
        cwd,
        environment,
        marksStderr: true,
        read: (line, printed) =>
          isObject(line) && isObject(line['said']) ? { said: { ...line['said'], printed: printed() } } : line,
      }),
  };
  kinds.set(cwd, kind);
  return kind;
}
