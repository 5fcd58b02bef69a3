import { writeProject } from '../lib/inputs.mjs';
import { withBrowser, withPage } from '../lib/dashboard.mjs';
import { served } from '../lib/served.mjs';
import { scriptKb } from '../lib/script-kb.mjs';

/**
 * Waiting times in the browser over an embedded store with many cases and agents, and in the editor of a
 * large case. Other load only makes these slower, so the fastest round counts.
 */
export async function editing(context) {
  const { scratch, agent, size } = context;
  const cwd = writeProject(scratch, 'editing', { bot: { type: 'http', url: agent.url(0) } });
  const server = await served(context, ['serve'], { cwd });
  const site = server.url.replace('/api/v1', '');
  try {
    const large = await filled(server.url, size);
    return await withBrowser(async (browser) => {
      const cases = size.kept.toLocaleString('en');
      const agents = AGENTS.toLocaleString('en');
      const waits = [
        [`first rows of a list of ${cases} cases`, 500, (page) => opened(page, `${site}/cases`)],
        ['that list after a tag is chosen', 300, (page) => byTag(page, site)],
        ['that list after a text is typed', 300, (page) => byText(page, site)],
        [`first rows of a list of ${agents} agents`, 500, (page) => opened(page, `${site}/agents`)],
        [
          'longest wait for a key in the editor, with JSON of 200 KB',
          50,
          (page) => typed(page, `${site}/cases/${large}/edit`),
        ],
      ];
      const lines = [];
      for (const [name, most, work] of waits) {
        const found = [];
        for (let round = 0; round < size.rounds; round++) found.push(await withPage(browser, work));
        const line = (what, of) => ({
          name: `\`assay serve\`: ${what}`,
          value: Math.min(...found.map(of)),
          unit: 'ms',
        });
        lines.push({ ...line(name, ({ wallMs }) => wallMs), most });
        lines.push(line('processor time of the page for it', ({ cpuMs }) => cpuMs));
      }
      const value = await withPage(browser, (page) => scriptKb(page, context, `${site}/`));
      lines.push({
        name: '`assay serve`: JavaScript of the first page, gzipped',
        value,
        unit: 'KB',
        most: 200,
      });
      return { lines };
    });
  } finally {
    await server.stop();
  }
}

const IMPORTED = 10_000;
const AGENTS = 1000;

/** Fills the store, and gives the id of a case with 200 KB of JSON. */
async function filled(url, { kept }) {
  for (let from = 0; from < kept; from += IMPORTED)
    await post(`${url}/test-cases/import`, caseLines(from), 'application/jsonl');
  for (let number = 0; number < AGENTS; number++) {
    const config = { type: 'http', url: 'http://127.0.0.1:1' };
    await post(`${url}/agents`, JSON.stringify({ name: `agent-${number}`, config }));
  }
  const items = Array.from({ length: 2000 }, (_, at) => ({ order: `ORD-${at}`, note: 'x'.repeat(60) }));
  const { id } = await post(`${url}/test-cases`, JSON.stringify({ name: 'large', user_context: { items } }));
  return id;
}

/** One case in a hundred has the rare tag, and the word in its name. */
function caseLines(from) {
  const lines = Array.from({ length: IMPORTED }, (_, index) => {
    const number = from + index;
    const isRare = number % 100 === 99;
    return JSON.stringify({
      name: isRare ? `case ${number} of a refund` : `case ${number}`,
      description: `Order ${number} is late.`,
      tags: ['all', `team-${number % 10}`, ...(isRare ? ['rare'] : [])],
      initial_message: `Where is order ORD-${number}? It was promised for Monday.`,
    });
  });
  return `${lines.join('\n')}\n`;
}

const ROWS = 'main tbody [data-row]';
const RARE = `tbody tr:first-child ${'[data-row]:has-text("of a refund")'}`;

async function opened(page, address) {
  const cpuMs = await processor(page);
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForSelector(ROWS);
  return { wallMs: await page.evaluate('performance.now()'), cpuMs: await cpuMs() };
}

async function byTag(page, site) {
  await opened(page, `${site}/cases`);
  await page.fill('label:has-text("Any of these tags") input', 'rare');
  return await until(page, () => page.keyboard.press('Enter'));
}

async function byText(page, site) {
  await opened(page, `${site}/cases`);
  await page.focus('input[type=search]');
  return await until(page, () => page.keyboard.insertText('refund'));
}

/** From an input to the rows that it asks for. */
async function until(page, input) {
  const cpuMs = await processor(page);
  const from = await page.evaluate('performance.now()');
  await input();
  await page.waitForSelector(RARE);
  return { wallMs: (await page.evaluate('performance.now()')) - from, cpuMs: await cpuMs() };
}

/** Processor time of the main thread of a page from now on; another page of the site has a thread of its own. */
async function processor(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const now = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1000;
  };
  const before = await now();
  return async () => {
    const after = await now();
    return after < before ? after : after - before;
  };
}

const WATCH_KEYS = `
  globalThis.keys = [];
  new PerformanceObserver((list) => keys.push(...list.getEntries().filter(({ name }) => name === 'keydown' || name === 'input')
    .map(({ duration }) => duration))).observe({ type: 'event', durationThreshold: 16, buffered: true });
`;

const KEYS = 40;

/** The browser reports waits from 16 ms on, from the key until the next frame is drawn. */
async function typed(page, address) {
  await page.goto(address);
  await page.waitForSelector('#field-user_context');
  await page.focus('#field-user_context');
  await page.keyboard.type('x'.repeat(5));
  await page.evaluate(WATCH_KEYS);
  const cpuMs = await processor(page);
  await page.keyboard.type('x'.repeat(KEYS), { delay: 60 });
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100)))');
  return { wallMs: Math.max(16, ...(await page.evaluate('keys'))), cpuMs: (await cpuMs()) / KEYS };
}

async function post(url, body, type = 'application/json') {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${(await answer.text()).slice(0, 500)}`);
  return await answer.json();
}
