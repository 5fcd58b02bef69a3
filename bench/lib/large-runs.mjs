import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { CONTAINS } from '../floors/cases.mjs';
import { measuredRun } from './child.mjs';
import { writeProject } from './inputs.mjs';

const made = new Map();

/**
 * Two stored runs of `cases` cases, made once by running assay: of the same suite, with a good agent and with
 * one that leaves a third of the questions open. Returns { project, suite, out, ids, peakMb }.
 */
export function largeRuns(context, cases) {
  const key = `${context.scratch} ${cases}`;
  if (!made.has(key)) made.set(key, makeRuns(context, cases));
  return made.get(key);
}

async function makeRuns({ node, program, scratch, agent }, cases) {
  const project = writeProject(scratch, `large-${cases}`, {
    bot: { type: 'http', url: agent.url(0) },
    forgetful: { type: 'http', url: agent.forgetfulUrl(0) },
  });
  const suite = join(project, 'orders.jsonl');
  await writeOrders(suite, cases);
  const out = join(project, 'runs');
  const ids = [];
  const peaks = [];
  for (const target of ['bot', 'forgetful']) {
    const args = [program, 'run', suite, '--target', target, '--out', out, '--concurrency', '50', '--json'];
    // The exit code is 1, because cases fail.
    const { output, peakMb } = await measuredRun(node, args, { cwd: project, codes: [0, 1] });
    ids.push(/\d{8}T\d{6}Z-\w{6}/.exec(output)[0]);
    peaks.push(peakMb);
  }
  return { project, suite, out, ids, peakMb: Math.max(...peaks) };
}

/** Realistic cases: each has its own expectation, texts and metadata. */
async function writeOrders(file, cases) {
  const lines = createWriteStream(file);
  for (let number = 1; number <= cases; number++) {
    const line = JSON.stringify({
      id: caseIdOf(number),
      criteria: `Says when order ORD-${10_000 + number} was delivered, and asks for nothing that was said`,
      input: `My order ORD-${10_000 + number} was due on Monday and I need it for a birthday. Where is it?`,
      metadata: { area: 'orders', source: `ticket-${number}` },
      tags: [number % 3 === 0 ? 'refund' : 'delivery'],
      assert: [
        { type: 'contains', value: CONTAINS, weight: 2 },
        {
          type: 'regex',
          name: 'names the order',
          value: `ORD-(${10_000 + number}|[0-9]{4})`,
          required: true,
        },
      ],
    });
    if (!lines.write(`${line}\n`)) await once(lines, 'drain');
  }
  lines.end();
  await once(lines, 'close');
}

export function caseIdOf(number) {
  return `orders-delivery-status-${number}`;
}
