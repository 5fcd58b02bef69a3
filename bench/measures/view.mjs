import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { longLog } from '../lib/long-log.mjs';
import { manyRuns } from '../lib/many-runs.mjs';
import { interleaved, median, noise } from '../lib/rounds.mjs';

/** Time of `assay view` for a trial of a long log and for a list of many runs, in a new process each round. */
export async function view(context) {
  const { scratch, size } = context;
  const log = longLog(scratch, size.logMb * 1e6);
  const { out } = await manyRuns(context, size.listed);
  const found = { first: [], second: [], page: [], all: [], again: [] };
  await interleaved(size.rounds, {
    trials: () =>
      viewing(context, log.out, async (seconds) => {
        found.first.push(await seconds(() => trialOf(log, Math.round(log.trials * 0.5))));
        found.second.push(await seconds(() => trialOf(log, Math.round(log.trials * 0.9))));
      }),
    runs: () =>
      viewing(context, out, async (seconds) => {
        found.page.push(await seconds(() => ['/runs?limit=50']));
        found.all.push(await seconds(pagesOf));
        found.again.push(await seconds(pagesOf));
      }),
  });
  const line = (name, values, most) => ({
    name,
    value: median(values),
    ...(most === undefined ? {} : { most }),
    unit: 's',
    noise: noise(values),
  });
  const count = size.listed.toLocaleString('en');
  return {
    lines: [
      line(`\`assay view\`: time to open a first trial, if the log has ${size.logMb} MB`, found.first, 1),
      line('`assay view`: time to open another trial of that run', found.second, 0.2),
      line(`\`assay view\`: time for the first page of a list of ${count} runs`, found.page, 0.5),
      line('`assay view`: time to read all of them for the first time', found.all),
      line('`assay view`: time to read all of them a second time', found.again, 0.5),
    ],
  };
}

/** The requests of a trial's page. */
function trialOf({ id }, number) {
  const place = `/runs/${id}/trials/${number}`;
  return [place, `${place}/transcript?limit=200`];
}

/** All pages of the list, in sequence. */
async function* pagesOf(ask) {
  let cursor = '';
  do {
    const { next_cursor } = await ask(`/runs?limit=200${cursor}`);
    cursor = next_cursor === null ? undefined : `&cursor=${next_cursor}`;
    yield;
  } while (cursor !== undefined);
}

/** Starts a server over a folder of runs, sends requests, and ends it. */
async function viewing({ node, program }, out, work) {
  const child = spawn(node, [program, 'view', '--port', '0', '--out', out], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    const url = await addressOf(child);
    const ask = async (path) => {
      const answer = await fetch(`${url}/api/v1${path}`);
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return await answer.json();
    };
    await work((asking) => secondsOf(asking, ask));
  } finally {
    child.kill('SIGINT');
    await ended;
  }
}

/** `asking` returns the paths to request together, or sends the requests itself. */
async function secondsOf(asking, ask) {
  const startedAt = performance.now();
  const asked = asking(ask);
  if (Array.isArray(asked)) await Promise.all(asked.map(ask));
  else for await (const _ of asked);
  return (performance.now() - startedAt) / 1000;
}

async function addressOf({ stdout }) {
  let text = '';
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    const [url] = /http:\S+(?=\s)/.exec(text) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(`assay view ended: ${text}`);
}
