import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { bundle } from '../../scripts/lib/bundle.mjs';
import { cache, inRoot } from '../../scripts/lib/paths.mjs';
import { writeProject } from '../lib/inputs.mjs';
import { startPostgres } from '../lib/postgres.mjs';
import { interleaved, median, noise } from '../lib/rounds.mjs';
import { served } from '../lib/served.mjs';
import { untilWritten } from '../lib/worked-runs.mjs';

/** Waiting time for a store in PostgreSQL that holds many cases, and for a server to start on an embedded one. */
export async function store(context) {
  const postgres = await startPostgres();
  try {
    return {
      lines: [
        ...(await filled(context, postgres)),
        await facts(context, postgres),
        ...(await starts(context)),
      ],
    };
  } finally {
    await postgres.stop();
  }
}

/** Cases of one import. */
const IMPORTED = 10_000;

async function filled(context, postgres) {
  const { scratch, agent, size } = context;
  const cwd = judgedProject(scratch, agent);
  const DATABASE_URL = postgres.url('postgres');
  const server = await served(context, ['serve'], { cwd, env: { DATABASE_URL } });
  try {
    const imports = [];
    for (let from = 0; from < size.kept; from += IMPORTED) {
      const seconds = await secondsOf(() =>
        post(`${server.url}/test-cases/import`, caseLines(from), 'application/jsonl'),
      );
      imports.push(seconds);
    }
    const lists = await listed(context, { server, DATABASE_URL });
    const planned = await planning(server, size.rounds, DATABASE_URL);
    const count = size.kept.toLocaleString('en');
    return [
      { name: `import of ${IMPORTED.toLocaleString('en')} cases`, ...measured(imports), most: 10, unit: 's' },
      ...lists,
      { name: `POST /runs of ${count} trials, until its 202`, ...measured(planned), most: 5, unit: 's' },
    ];
  } finally {
    await server.stop();
  }
}

/** Its cases are scored by the metrics that a judge has by default. */
function judgedProject(scratch, agent) {
  const targets = { bot: { type: 'http', url: agent.url(0) } };
  const cwd = writeProject(scratch, 'store', targets);
  const models = { reviewing: { baseUrl: agent.reviewerUrl(0), price: { input: 1, output: 1 } } };
  const config = { targets, judge: { model: 'reviewing/judge' }, models };
  writeFileSync(join(cwd, 'assay.config.json'), JSON.stringify(config));
  return cwd;
}

const measured = (values) => ({ value: median(values), noise: noise(values) });

/** One case in a hundred has the rare tag, and one in two the word. */
function caseLines(from) {
  const lines = Array.from({ length: IMPORTED }, (_, index) => {
    const number = from + index;
    return JSON.stringify({
      name: `case ${number}`,
      description: number % 200 < 100 ? `Customer ${number} asks for a refund.` : `Order ${number} is late.`,
      tags: ['all', `team-${number % 10}`, ...(number % 100 === 0 ? ['rare'] : [])],
      max_turns: 1,
      initial_message: `Where is order ORD-${number}? It was promised for Monday.`,
      expected_tool_calls: [{ tool: 'find_order', expected_params: { order: `ORD-${number}` } }],
    });
  });
  return `${lines.join('\n')}\n`;
}

const QUERY = `select * from test_case where tags && '{rare}' and status = 'active'
  and (strpos(lower(name), 'refund') > 0 or strpos(lower(description), 'refund') > 0)
  order by created_at, id limit 51`;

/** The floor is the bare query on one connection. */
async function listed({ size }, { server, DATABASE_URL }) {
  const client = new Client({ connectionString: DATABASE_URL });
  await client.connect();
  const page = () => get(`${server.url}/test-cases?tag_any=rare&search=refund&limit=50`);
  for (let warm = 0; warm < 50; warm++) await page();
  const rounds = await interleaved(size.rounds, {
    one: () => late(1, size.asked, page),
    many: () => late(20, size.asked, page),
    floor: () => late(1, size.asked, () => client.query(QUERY)),
  });
  await client.end();
  const line = (name, values, rest) => ({ name, ...measured(values), unit: 'ms', ...rest });
  const what = 'a page of 50 by tag and text, 95th percentile';
  return [
    line(`${what}, one client`, rounds.one, { floor: median(rounds.floor), most: 15 }),
    line('the same, 20 clients', rounds.many, { most: 150 }),
  ];
}

/** The 95th percentile (ms) of so many calls in all. */
async function late(clients, calls, call) {
  const waits = [];
  const work = async () => {
    for (let at = 0; at < calls / clients; at++) waits.push((await secondsOf(call)) * 1000);
  };
  await Promise.all(Array.from({ length: clients }, work));
  return waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.95)];
}

/** Each run is cancelled at once. The next one begins when its rows are written. */
async function planning(server, rounds, databaseUrl) {
  const body = JSON.stringify({ select: {}, targets: ['bot'], concurrency: 1 });
  const found = [];
  for (let round = 0; round < rounds; round++) {
    let run;
    found.push(await secondsOf(async () => (run = await post(`${server.url}/runs`, body))));
    const place = `${server.url}/runs/${run.id}`;
    await post(`${place}/cancel`, '{}');
    while (['queued', 'running', 'stopping'].includes((await get(place)).state))
      await new Promise((resolve) => setTimeout(resolve, 200));
    await untilWritten(databaseUrl, run.id);
  }
  return found;
}

/** Facts that 50 trials tell one after the other, as in a run. */
async function facts({ time, size }, postgres) {
  const module = join(cache, 'bench', 'append-facts.mjs');
  await bundle(inRoot('bench/lib/append-facts.ts'), module, { external: ['jiti', 'pg'] });
  const script = `import { appendFacts } from ${JSON.stringify(module)};
    process.stdout.write(String(await appendFacts(${JSON.stringify(postgres.url('postgres'))}, ${size.told}, 50)));`;
  const rates = [];
  for (let round = 0; round < size.rounds; round++)
    rates.push(Number((await time(['--input-type=module', '-e', script], inRoot('.'))).output));
  const per = rates.map((rate) => 1e6 / rate);
  return { name: 'a fact appended to the log in PostgreSQL', ...measured(per), most: 200, unit: 'us' };
}

/** From the start of the process to the first answer from the database. */
async function starts(context) {
  const { scratch, agent, size, time } = context;
  const cwd = writeProject(scratch, 'serving', { bot: { type: 'http', url: agent.url(0) } });
  const answered = async () => {
    const startedAt = performance.now();
    const server = await served(context, ['serve'], { cwd });
    try {
      await get(`${server.url}/test-cases?limit=1`);
      return { wallMs: performance.now() - startedAt, cpuMs: server.cpuMs() };
    } finally {
      await server.stop();
    }
  };
  const found = { first: [], second: [] };
  const { node } = await interleaved(size.rounds, {
    node: async () => (await time(['-e', '0'])).wallMs,
    serve: async () => {
      rmSync(join(cwd, '.assay'), { recursive: true, force: true });
      found.first.push(await answered());
      found.second.push(await answered());
    },
  });
  const line = (name, values, rest) => ({
    name,
    ...measured(values),
    floor: median(node),
    unit: 'ms',
    ...rest,
  });
  const walls = (values) => values.map(({ wallMs }) => wallMs);
  const processor = (values) => ({ ...measured(values.map(({ cpuMs }) => cpuMs)), unit: 'ms' });
  return [
    line('assay serve: first answer, embedded, first start', walls(found.first), { most: 4000 }),
    { name: 'processor time of it (no budget)', ...processor(found.first) },
    line('the same at the second start', walls(found.second), { most: 1500 }),
    { name: 'processor time of it (no budget)', ...processor(found.second) },
  ];
}

async function secondsOf(work) {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

const get = async (url) => answerOf(await fetch(url));

async function post(url, body, type = 'application/json') {
  return await answerOf(await fetch(url, { method: 'POST', headers: { 'content-type': type }, body }));
}

async function answerOf(answer) {
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${text.slice(0, 500)}`);
  return JSON.parse(text);
}
