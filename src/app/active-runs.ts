import { settlesWithin } from '../lib/process/settles-within.ts';
import type { RunOutcome, RunSite } from './conduct/run-site.ts';
import type { Interruption } from './running/run-execution.ts';
import { serverStopping } from './server-stopping.ts';
import type { Surroundings } from './surroundings.ts';

/** The runs that this process executes without anybody who looks on. Disposed, it gives running trials 10 seconds. */
export interface ActiveRuns extends AsyncDisposable {
  /** Resolves to the id of a run that has begun. Rejects with what went wrong before, or `server-stopping`. */
  begin(work: (site: RunSite) => Promise<RunOutcome>): Promise<string>;
  /** Cancels a run. False: it is not executed here. */
  cancel(id: string): boolean;
}

const GRACE_MS = 10_000;

/** `onFault`: called with errors of runs that have begun. */
export function activeRuns(surroundings: Surroundings, onFault: (fault: unknown) => void): ActiveRuns {
  const controls = new Map<string, Control>();
  const running = new Set<Promise<void>>();
  const closing = new AbortController();
  return {
    begin: (work) =>
      new Promise((resolve, reject) => {
        if (closing.signal.aborted) throw serverStopping();
        const control = newControl(closing.signal);
        let begun: string | undefined;
        const site: RunSite = {
          presentation: SILENT,
          surroundings,
          interrupt: control,
          begun: ({ name }) => {
            begun = name;
            controls.set(name, control);
            resolve(name);
          },
        };
        const fail = (error: unknown) => (begun === undefined ? reject(error) : onFault(error));
        const ended = work(site)
          .then(({ failure }) => (failure === undefined ? undefined : onFault(failure)), fail)
          .finally(() => {
            control.release();
            running.delete(ended);
            // A resume may run already, since the lease of a run ends with the run.
            if (begun !== undefined && controls.get(begun) === control) controls.delete(begun);
          });
        running.add(ended);
      }),
    cancel(id) {
      const control = controls.get(id);
      control?.end('cancel');
      return control !== undefined;
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      const all = Promise.all(running);
      if (await settlesWithin(all, GRACE_MS)) return;
      for (const control of controls.values()) control.end('abandon');
      await all;
    },
  };
}

const SILENT = {
  reporters: [],
  isSilent: true,
  screen: { isTty: false, columns: 100, colour: false, write: () => undefined },
  verbosity: 'quiet',
  ci: true,
} as const;

interface Control extends Interruption {
  end(how: 'cancel' | 'abandon'): void;
  release(): void;
}

/** Ends a run from outside. Closing stops it. */
function newControl(closing: AbortSignal): Control {
  const [stop, cancel, abandon] = [new AbortController(), new AbortController(), new AbortController()];
  const close = () => stop.abort(serverStopping());
  closing.addEventListener('abort', close, { once: true });
  if (closing.aborted) close();
  return {
    stop: stop.signal,
    cancel: cancel.signal,
    abandon: abandon.signal,
    stoppedBy: () => (stop.signal.aborted ? 'server-end' : undefined),
    end: (how) => (how === 'cancel' ? cancel : abandon).abort(),
    release: () => closing.removeEventListener('abort', close),
  };
}
