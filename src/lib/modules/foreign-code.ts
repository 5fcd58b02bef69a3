import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

/** Takes what code that a person wrote threw where nobody could catch it, or that it called `process.exit`. */
export interface ForeignScope {
  /** `rejection`: of a promise that nobody waits for. */
  caught(fault: unknown, kind: 'exception' | 'rejection' | 'exit'): void;
}

/**
 * Runs code that a person wrote in this very process. What it throws in a timer, a listener or a promise that nobody
 * waits for goes to the scope and not to the end of the process, also long after; `process.exit` throws.
 */
export function inForeignCode<T>(scope: ForeignScope, work: () => T): T {
  guard();
  return scopes.run(scope, work);
}

/** Runs such code to its end and rejects with whatever it did wrong until then; what comes later is a late fault. */
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

/** Runs code that ends at once, and throws whatever it did wrong; what comes later goes to `late`. */
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

/** Of code whose faults nobody waits for. */
export function lateScope(name: string): ForeignScope {
  return { caught: (fault, kind) => (kind === 'exit' ? undefined : tellOfLateFault({ name, fault })) };
}

/** What code threw where nobody could catch it when it had ended long ago. */
export interface LateFault {
  /** Of the code; of a module its path. */
  readonly name: string;
  readonly fault: unknown;
}

/** Hears of late faults from now on; without a listener they end the process. */
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

/** Whether there was any such code, which may have left open what keeps the process from ending. */
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
    // Without a code the one that is set holds; `undefined` would be 0.
    if (scope === undefined) return exit(...given);
    const [code] = given;
    const fault = new ProcessExit(
      `process.exit(${code ?? ''}) was called, which would end assay and everything it measures`,
    );
    // It counts even where the code catches what this throws.
    scope.caught(fault, 'exit');
    throw fault;
  };
  // For modules that import `exit` by its name.
  syncBuiltinESMExports();
}

function onException(error: unknown, origin: NodeJS.UncaughtExceptionOrigin): void {
  const scope = scopes.getStore();
  if (scope !== undefined) return tell(scope, error, 'exception');
  // What is nobody's ends the process, as it would without us; a throw in here would be another exit code.
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
  // It was told when it was thrown.
  if (!(fault instanceof ProcessExit)) scope.caught(fault, kind);
}
