import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

/** Receives uncaught errors of a person's code, and calls of `process.exit`. */
export interface ForeignScope {
  /** `rejection`: an unhandled rejection. */
  caught(fault: unknown, kind: 'exception' | 'rejection' | 'exit'): void;
}

/**
 * Runs a person's code in this process. Uncaught errors of its timers, listeners and promises go to the scope instead
 * of ending the process, even much later. `process.exit` throws.
 */
export function inForeignCode<T>(scope: ForeignScope, work: () => T): T {
  guard();
  return scopes.run(scope, work);
}

/** Runs such code to its end, and rejects with its first uncaught error. Later errors are late faults. */
export async function settleForeignCode<T>(
  name: string,
  work: () => T | Promise<T>,
  late: ForeignScope = { caught: (fault) => tellOfLateFault({ name, fault }) },
): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    let hasEnded = false;
    const caught: ForeignScope['caught'] = (fault, kind) => {
      if (hasEnded) late.caught(fault, kind);
      else reject(fault as Error);
    };
    inForeignCode({ caught }, async () => await work())
      .then(resolve, reject)
      .finally(() => {
        hasEnded = true;
      });
  });
}

/** Runs synchronous code, and throws its first error. Later errors go to `late`. */
export function endForeignCode<T>(late: ForeignScope, work: () => T): T {
  let hasEnded = false;
  const exits: unknown[] = [];
  const caught: ForeignScope['caught'] = (fault, kind) => {
    if (hasEnded) late.caught(fault, kind);
    else exits.push(fault);
  };
  try {
    const result = inForeignCode({ caught }, work);
    if (exits.length > 0) throw exits[0];
    return result;
  } finally {
    hasEnded = true;
  }
}

/** The scope of code whose faults have no receiver. */
export function lateScope(name: string): ForeignScope {
  return { caught: (fault, kind) => (kind === 'exit' ? undefined : tellOfLateFault({ name, fault })) };
}

/** An uncaught error of code that had ended long before. */
export interface LateFault {
  /** The name of the code; for a module its path. */
  readonly name: string;
  readonly fault: unknown;
}

/** Receives late faults from now on; without a listener they end the process. */
export function onLateFault(listener: (late: LateFault) => void): void {
  tellOfLateFault = listener;
}

let tellOfLateFault = ({ fault }: LateFault): void => {
  throw fault;
};

const scopes = new AsyncLocalStorage<ForeignScope>();

/** Thrown by `process.exit` in such code. */
class ProcessExit extends Error {
  override readonly name = 'ProcessExit';
}

let isGuarded = false;

/** Whether such code was run, which may keep the process from ending. */
export function hasRunForeignCode(): boolean {
  return isGuarded;
}

function guard(): void {
  if (isGuarded) return;
  isGuarded = true;
  process.on('uncaughtException', onException);
  process.on('unhandledRejection', onRejection);
  const exit = process.exit.bind(process);
  process.exit = (...given) => {
    const scope = scopes.getStore();
    // Without a code the current exit code stays; `undefined` would be 0.
    if (scope === undefined) return exit(...given);
    const [code] = given;
    const fault = new ProcessExit(
      `process.exit(${code ?? ''}) was called, which would end assay and everything it measures`,
    );
    // Counts even if the code catches this error.
    scope.caught(fault, 'exit');
    throw fault;
  };
  // For modules that import `exit` by its name.
  syncBuiltinESMExports();
}

function onException(error: unknown, origin: NodeJS.UncaughtExceptionOrigin): void {
  const scope = scopes.getStore();
  if (scope !== undefined) return tell(scope, error, 'exception');
  // An error of no scope ends the process, as it would without assay; throwing here would change the exit code.
  if (origin !== 'uncaughtException' || process.listenerCount('uncaughtException') > 1) return;
  process.off('uncaughtException', onException);
  process.nextTick(() => {
    throw error;
  });
}

function onRejection(reason: unknown): void {
  const scope = scopes.getStore();
  if (scope !== undefined) return tell(scope, reason, 'rejection');
  if (process.listenerCount('unhandledRejection') > 1) return;
  process.off('uncaughtException', onException);
  throw reason;
}

function tell(scope: ForeignScope, fault: unknown, kind: 'exception' | 'rejection'): void {
  // It was reported when it was thrown.
  if (!(fault instanceof ProcessExit)) scope.caught(fault, kind);
}
