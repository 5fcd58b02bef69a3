// Stands for a coding agent in tests: notes how it was started, then replays a recording or prints given lines.
// What it does is in the variable FAKE_AGENT, as JSON (see FakeAgent in fake-agent.ts).
import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const [name, ...args] = process.argv.slice(2);
const asked = JSON.parse(process.env.FAKE_AGENT ?? '{}');
const isResumed = args.some((arg) => /^(--resume|resume|--session|-r)(=|$)/.test(arg));
const plan = {
  ...asked,
  ...(isResumed ? asked.resumed : {}),
  ...(asked.where !== undefined && existsSync(asked.where.path) ? asked.where.plan : {}),
  ...asked.byPrompt?.[args.at(-1)],
  ...(isFirst() ? asked.first.plan : {}),
};

if (args.includes('--version')) {
  writeAll(1, `${plan.version ?? '0.0.0'}\n`);
  process.exit(0);
}

if (args[0] === 'export') {
  if (plan.exported === undefined) process.exit(1);
  writeAll(1, plan.exported.replaceAll('$ID', args[1]));
  process.exit(0);
}

const home = process.env.HOME ?? '';
if (plan.seen !== undefined) {
  const seen = {
    name,
    args,
    cwd: process.cwd(),
    env: process.env,
    homeMode: existsSync(home) ? (statSync(home).mode & 0o777).toString(8) : undefined,
    home: existsSync(home) ? readdirSync(home).sort() : undefined,
    workspace: readdirSync(process.cwd(), { recursive: true }).sort(),
  };
  appendFileSync(plan.seen, `${JSON.stringify(seen)}\n`);
}

if (plan.span !== undefined) appendFileSync(plan.span.file, `+${plan.span.label}\n`);
if (plan.does !== undefined)
  execFileSync('sh', ['-c', plan.does], { stdio: ['ignore', 'ignore', 'inherit'] });
if (plan.ignoresTerm) process.on('SIGTERM', () => {});
if (plan.stray !== undefined) {
  // Leaves the group, ignores SIGTERM and holds stdout open.
  const script = `trap '' TERM; echo $$ >> '${plan.stray}'; while :; do sleep 1; done`;
  spawn('setsid', ['sh', '-c', script], { stdio: ['ignore', 'inherit', 'inherit'] }).unref();
  while (!existsSync(plan.stray)) await pause(5);
}
if (plan.stderr !== undefined) writeAll(2, plan.stderr);

const recorded =
  plan.recording === undefined ? [] : readFileSync(plan.recording, 'utf8').trimEnd().split('\n');
const lines = [...(plan.before ?? []), ...recorded.slice(plan.from ?? 0, plan.to), ...(plan.after ?? [])];
for (const line of lines) {
  const text = line
    .replaceAll('/workspace/project', process.cwd())
    .replaceAll('/home/agent', home)
    .replaceAll('$SECRET', process.env.FAKE_SECRET ?? '');
  await print(`${text}\n`);
  if (plan.everyMs !== undefined) await pause(plan.everyMs);
}
if (plan.tail !== undefined) writeAll(1, plan.tail);
for (let i = 0; i < (plan.flood ?? 0); i++)
  writeAll(1, `${JSON.stringify({ type: 'flood', text: 'x'.repeat(65_000) })}\n`);
if (plan.session !== undefined) {
  const { writeFileSync } = await import('node:fs');
  const folder = join(home, plan.session.folder);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, plan.session.file),
    plan.session.text.replaceAll('$SECRET', process.env.FAKE_SECRET ?? ''),
  );
}
if (plan.silentMs !== undefined) await pause(plan.silentMs);
if (plan.span !== undefined) appendFileSync(plan.span.file, `-${plan.span.label}\n`);
process.exit(plan.exitCode ?? 0);

/** Of all starts but those that ask for the version; a folder can be made once only. */
function isFirst() {
  if (asked.first === undefined || args.includes('--version')) return false;
  try {
    mkdirSync(asked.first.mark);
    return true;
  } catch {
    return false;
  }
}

/** Several bytes at a time, so that secrets and characters lie across chunks. */
async function print(text) {
  if (plan.chunkBytes === undefined) return writeAll(1, text);
  const bytes = Buffer.from(text);
  for (let i = 0; i < bytes.length; i += plan.chunkBytes) {
    writeAll(1, bytes.subarray(i, i + plan.chunkBytes));
    await pause(1);
  }
}

function writeAll(descriptor, content) {
  const bytes = Buffer.from(content);
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      if (error.code === 'EPIPE') process.exit(1);
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}
