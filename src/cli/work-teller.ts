import { messageOf } from '../core/errors.ts';
import { plural } from '../lib/text/plural.ts';
import { stripControls } from '../lib/text/terminal-text.ts';
import type { WorkListener } from '../worker/work-listener.ts';

/** Prints what a worker does, and its troubles to stderr. */
export function workTeller(
  name: string,
  { slots, graceMs }: { readonly slots: number; readonly graceMs: number },
): WorkListener {
  const say = (text: string) => void process.stdout.write(`${stripControls(text)}\n`);
  const complain = (text: string) => void process.stderr.write(`${stripControls(text)}\n`);
  return {
    ready: () => say(`worker ${name} is ready: ${slots} at a time  (Ctrl-C to stop)`),
    refused: (run, reason) => complain(`takes no trials of ${run}: ${reason}`),
    troubled: (fault) => complain(`cannot look for trials: ${messageOf(fault)}; trying again every second`),
    recovered: () => complain('can look for trials again'),
    dropped: ({ run, key }, fault) =>
      complain(`the trial ${key} of ${run} was not finished here and will be repeated: ${messageOf(fault)}`),
    stopping: (running) =>
      say(
        running === 0
          ? `worker ${name} stops; no trial is running`
          : `worker ${name} takes no more trials; it stops when ${plural(running, 'running trial')} ended, at the latest in ${graceMs / 1000} s  (Ctrl-C again to stop now)`,
      ),
    givingBack: (running) =>
      say(`worker ${name} gives ${plural(running, 'running trial')} back to other workers`),
  };
}
