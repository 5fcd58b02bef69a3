import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Browser } from 'playwright-core';

import { openBrowser, startedView, type StartedView } from './browser.ts';

/** A browser and the built `assay view` over the runs that `make` writes. */
export interface OpenView<Runs> extends AsyncDisposable {
  readonly browser: Browser;
  readonly url: string;
  readonly runs: Runs;
  /** Ends the server; gives how to start another one at its address. */
  stopped(): Promise<() => Promise<void>>;
}

export async function openView<Runs>(
  make: (folder: string) => Promise<Runs & { readonly release?: () => void }>,
): Promise<OpenView<Runs>> {
  const scratch = mkdtempSync(join(tmpdir(), 'assay-browser-'));
  // The first page shows its name.
  const folder = join(scratch, 'shop');
  mkdirSync(folder);
  const runs = await make(folder);
  let view: StartedView = await startedView(folder);
  const { url } = view;
  const browser = await openBrowser();
  return {
    browser,
    url,
    runs,
    stopped: async () => {
      await view[Symbol.asyncDispose]();
      return async () => {
        view = await startedView(folder, Number(new URL(url).port));
      };
    },
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await view[Symbol.asyncDispose]();
      runs.release?.();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
}
