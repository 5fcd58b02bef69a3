import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { chromium as starter } from 'playwright-core';
import { writeProject, writeSuite } from './inputs.mjs';

/** Runs work with the packaged browser. */
export async function withBrowser(work) {
  const executablePath = await chromium.executablePath();
  // A single-process browser would end with its first page.
  const args = [...chromium.args.filter((arg) => arg !== '--single-process'), '--no-sandbox'];
  const browser = await starter.launch({ executablePath, args, headless: true });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** Runs work with a page without a cache. */
export async function withPage(browser, work) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(120_000);
  try {
    return await work(page);
  } finally {
    await page.close();
  }
}

/** Runs work with `assay view` over a folder of runs. The work gets its address. */
export async function withView({ node, program }, out, work) {
  const child = spawn(node, [program, 'view', '--port', '0', '--out', out], { cwd: out });
  const ended = once(child, 'exit');
  try {
    const url = await new Promise((resolve, reject) => {
      let said = '';
      const listen = (chunk) => {
        said += chunk;
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
        if (found !== undefined) resolve(found);
      };
      for (const stream of [child.stdout, child.stderr]) stream.on('data', listen);
      child.once('exit', (code) => reject(new Error(`assay view exited with ${code}: ${said}`)));
    });
    return await work(url);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

const WATCH_TASKS = `
  globalThis.longTasks = [];
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ startTime, duration }) => ({ startTime, duration }))))
    .observe({ type: 'longtask', buffered: true });
`;

/** Follows a run in the browser from its first ended trial to its last. Returns { longestMs, trialsPerSecond }. */
export async function follow(context, browser, cases) {
  const { node, program, agent, scratch } = context;
  const project = writeProject(mkdtempSync(join(scratch, 'live-')), 'project', {
    bot: { type: 'http', url: agent.url(60) },
  });
  const out = join(project, 'runs');
  const args = [program, 'run', writeSuite(project, cases), '--out', out, '--concurrency', '50'];
  const run = spawn(node, args, { cwd: project, stdio: 'ignore' });
  const ended = once(run, 'exit');
  mkdirSync(out, { recursive: true });
  return await withView(context, out, (url) => withPage(browser, (page) => watched(page, { url, ended })));
}

async function watched(page, { url, ended }) {
  await page.addInitScript(WATCH_TASKS);
  await page.goto(url);
  await page.click('.list [data-row]');
  await page.waitForSelector('.figures progress');
  // The page is drawn once before the run is followed.
  await page.waitForSelector('table[aria-rowcount] [data-row]');
  const [fromMs, fromDone] = await doneOf(page);
  await page.waitForSelector('.figures progress', { state: 'detached' });
  await ended;
  const [toMs, toDone] = await doneOf(page);
  const tasks = await page.evaluate('longTasks');
  const longestMs = Math.max(
    0,
    ...tasks.filter(({ startTime }) => startTime > fromMs).map(({ duration }) => duration),
  );
  return { longestMs, trialsPerSecond: ((toDone - fromDone) / (toMs - fromMs)) * 1000 };
}

/** Milliseconds since the page was opened, and the number of trials shown as ended. */
function doneOf(page) {
  return page.evaluate(
    "[performance.now(), Number(document.querySelectorAll('.figures .value')[1].textContent.replace(',', ''))]",
  );
}
