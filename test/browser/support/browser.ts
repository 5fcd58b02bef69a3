import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Browser, Page } from 'playwright-core';
import { inject } from 'vitest';

import { program } from '../../e2e/support/dist.ts';

const require = createRequire(import.meta.url);

/** The browser that comes as a package: nothing is installed, nothing is downloaded. */
export async function openBrowser(): Promise<Browser> {
  const { default: chromium } = await import('@sparticuz/chromium');
  const { chromium: starter } = await import('playwright-core');
  const args = [...chromium.args.filter((arg) => !UNWANTED.test(arg)), '--disable-gpu', '--no-sandbox'];
  return await starter.launch({ executablePath: inject('browser'), args, headless: true });
}

/** In a single process the browser ends with its first page. An emulated GPU draws a page in three times the time. */
const UNWANTED = /single-process|gpu|--use-(?:gl|angle)|swiftshader/;

export interface StartedView extends AsyncDisposable {
  readonly url: string;
}

/** The built `assay view` over a folder of runs; `port` 0: any free one. */
export async function startedView(out: string, port = 0): Promise<StartedView> {
  const child = spawn(process.execPath, [program, 'view', '--port', String(port), '--out', out], {
    cwd: out,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('exit', (code) => reject(new Error(`assay view ended with ${code}: ${said}`)));
  });
  return {
    url,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

/** What a page complains of: messages of the console, exceptions, refused content, requests to other origins. */
export async function complaintsOf(page: Page, origin: string): Promise<string[]> {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (thrown) => complaints.push(`exception: ${thrown.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) complaints.push(`request to ${request.url()}`);
  });
  await page.exposeFunction('refused', (what: string) => complaints.push(`policy: ${what}`));
  await page.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => refused(event.violatedDirective + ' ' + event.blockedURI))",
  );
  return complaints;
}

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Which rules of axe are asked: `colours` is for a page that was seen in other colours, and is else the same. */
export type Asked = 'everything' | 'colours';

const RULES: Readonly<Record<Asked, readonly string[]>> = {
  everything: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  colours: ['color-contrast', 'link-in-text-block'],
};

/** Violations of WCAG 2.2 AA as axe finds them, each with the elements. It is evaluated, since the policy refuses its tag. */
export async function violationsOf(page: Page, asked: Asked = 'everything'): Promise<readonly string[]> {
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axe);
  return await page.evaluate(async (rules) => {
    interface Found {
      readonly violations: readonly {
        readonly id: string;
        readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
      }[];
    }
    const { axe: started } = globalThis as unknown as { axe: { run: (options: object) => Promise<Found> } };
    const { violations } = await started.run({
      runOnly: rules,
      // Of what passes, nothing is gathered.
      resultTypes: ['violations'],
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 3)
        .map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
  }, RULES[asked]);
}
