import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '../lib/paths.mjs';
import { promptOf } from './model.mjs';
import { agents } from './programs.mjs';
import { expectedOf, recordedWorkspace, recordingsOf } from './recordings.mjs';

/** Longer texts under these keys belong to the vendor and are not output: prompts, instructions, descriptions. */
const VENDORS = /^(description|systemPrompt|system_prompt|instructions|base_instructions|prompt)$/;
const LONGEST = 200;

/** Records an agent through `assay(...args)` in its own project. Returns the fault, if any. */
export async function record({ type, url, folder, assay }) {
  const wanted = recordingsOf(agents[type]);
  writeProject({ type, url, folder, wanted });
  const runs = join(folder, 'runs');
  const ended = await assay('run', '--out', runs, '--quiet');
  const run = join(runs, readdirSync(runs).find((name) => !name.startsWith('.')) ?? '');
  const rows = readFileSync(join(run, 'results.jsonl'), 'utf8').trimEnd().split('\n').map(JSON.parse);
  const failed = rows.filter(({ verdict }) => verdict !== 'passed');
  if (rows.length < wanted.length || failed.length > 0)
    return `${ended.output.trim()} ${failed.map(({ error }) => error?.message ?? 'failed').join('; ')}`;
  for (const [name, recording] of wanted) {
    const attempt = join(run, rows.find(({ caseId }) => caseId === name).artifactDir);
    keep({ type, name, recording, attempt, url });
  }
  return undefined;
}

function writeProject({ type, url, folder, wanted }) {
  mkdirSync(join(folder, 'template'), { recursive: true });
  for (const [path, text] of Object.entries(recordedWorkspace))
    writeFileSync(join(folder, 'template', path), text);
  const target = { type, model: agents[type].model, ...agents[type].target(url), timeoutMs: 60_000 };
  writeFileSync(join(folder, 'assay.config.json'), JSON.stringify({ targets: { [type]: target } }));
  const cases = wanted.map(([id]) => ({ id, prompt: promptOf(id) }));
  writeFileSync(
    join(folder, 'record.suite.mjs'),
    `export const workspace = { mode: 'isolated', templateDir: './template' };
export default ${JSON.stringify(cases)}.map((each) => ({ ...each, assert() {} }));
`,
  );
}

/** Writes a recording next to those of the same version. */
function keep({ type, name, recording, attempt, url }) {
  const version = agents[type].package.split('@').at(-1);
  const fixtures = inRoot('src/targets', type, 'fixtures', version);
  mkdirSync(fixtures, { recursive: true });
  const { directory } = JSON.parse(readFileSync(join(attempt, 'workspace.json'), 'utf8'));
  const text = readFileSync(join(attempt, 'stdout.log'), 'utf8').split('\n').map(withoutVendors).join('\n');
  writeFileSync(join(fixtures, `${name}.stdout.jsonl`), withoutMachine(text, { directory, url }));
  const usage = join(attempt, 'usage.json');
  if (existsSync(usage)) writeFileSync(join(fixtures, `${name}.usage.json`), readFileSync(usage));
  writeFileSync(
    join(fixtures, `${name}.expected.json`),
    `${JSON.stringify(expectedOf(recording), null, 2)}\n`,
  );
  const file = join(fixtures, 'command.json');
  const command = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { agent: type, version };
  const run = {
    prompt: promptOf(name),
    exit: { code: 0, signal: null },
    note: 'npm run test:agents -- --record',
  };
  const runs = { ...command.runs, [name]: run };
  writeFileSync(file, `${JSON.stringify({ ...command, runs }, null, 2)}\n`);
}

/** Removes long texts of vendors. Other lines stay unchanged byte by byte. */
function withoutVendors(line) {
  if (line.length <= LONGEST) return line;
  let isChanged = false;
  const text = JSON.stringify(JSON.parse(line), (key, value) => {
    if (!VENDORS.test(key) || typeof value !== 'string' || value.length <= LONGEST) return value;
    isChanged = true;
    return '<removed>';
  });
  return isChanged ? text : line;
}

/** Replaces the paths of this machine by those of other recordings. */
function withoutMachine(text, { directory, url }) {
  return text
    .replaceAll(directory, '/workspace/project')
    .replaceAll(directory.replaceAll('/', '-'), '-workspace-project')
    .replaceAll(url, 'http://127.0.0.1:8080')
    .replaceAll(/\/[^"\s\\]*?\/node_modules\//g, '/usr/local/lib/node_modules/')
    .replaceAll(/\/[^"\s\\]*?\/h-\w{6}\/home\b/g, '/home/agent')
    .replaceAll(/\/[^"\s\\]*?\/h-\w{6}\/tmp\b/g, '/tmp')
    .replaceAll(/\/[^"\s\\]*?\/c-\w{6}\//g, '/home/agent/.cache/');
}
