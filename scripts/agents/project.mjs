import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checks, killAgent } from './checks.mjs';
import { playedUser } from './conversation.mjs';
import { AGENTS_IMAGE } from '../lib/container-image.mjs';
import { promptOf } from './model.mjs';
import { agents } from './programs.mjs';

const lookupOrder = {
  name: 'lookup_order',
  description: 'finds an order',
  parameters: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
};

/** The checks that concern an agent, with their ids. */
export function checksOf(type, level) {
  return Object.entries(checks).filter(
    ([, { isMocked, needsSandbox }]) =>
      (isMocked !== true || agents[type].calls.mocked !== undefined) &&
      (needsSandbox !== true || level !== 'process'),
  );
}

/** Writes a project with one eval of all checks for one agent. Returns its folder. */
export function writeAgentProject(parent, type, { url, level = 'process' }) {
  const folder = join(parent, type);
  const write = (path, content) => {
    const file = join(folder, path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, undefined, 2));
  };
  const target = { type, model: agents[type].model, skills: ['./skills/demo'], ...agents[type].target(url) };
  write('assay.config.json', {
    target: type,
    targets: {
      [type]: { ...target, timeoutMs: 60_000 },
      hasty: { ...target, timeoutMs: 8_000 },
      mocked: { ...target, timeoutMs: 60_000, tools: [lookupOrder] },
    },
    user: { model: `played/${playedUser}` },
    models: { played: { baseUrl: `${url}/v1` } },
    run: {
      concurrency: 2,
      retryInfrastructure: 0,
      sandbox: sandboxAt(level, url),
    },
  });
  write('template/end-of-agent.sh', killAgent);
  write('template/NOTES.md', 'Write hello into answer.txt.\n');
  write('skills/demo/SKILL.md', '---\nname: demo\ndescription: shows how it is done\n---\nSay DONE.\n');
  const checked = checksOf(type, level);
  write('checks.suite.mjs', suiteOf(checked.filter(([, { isSuite }]) => isSuite)));
  write('checks.eval.yaml', {
    name: type,
    workspace: { template: './template' },
    tests: checked
      .filter(([, { isSuite }]) => !isSuite)
      .map(([id, { isHasty = false, isMocked = false, user, mocks, assert }]) => ({
        id,
        input: promptOf(id),
        user,
        execution: { target: isHasty ? 'hasty' : isMocked ? 'mocked' : type },
        mocks,
        assert: assert ?? [{ type: 'contains', value: 'DONE' }],
      })),
  });
  return folder;
}

/** A sandbox from which agents reach only the scripted model. */
function sandboxAt(level, url) {
  if (level === 'process') return { level };
  const network = [new URL(url).host];
  return level === 'namespace'
    ? { level, network }
    : { level, network, engine: 'podman', image: AGENTS_IMAGE.name, mountAgent: true };
}

/** A code suite of the checks with `isSuite`. */
function suiteOf(checked) {
  const cases = checked.map(
    ([id, { assert }]) =>
      `{ id: ${JSON.stringify(id)}, prompt: ${JSON.stringify(promptOf(id))}, assert(report) {${assert}\n} }`,
  );
  return `import { assert } from 'assay';
export const workspace = { mode: 'isolated', templateDir: './template' };
export default [${cases.join(', ')}];
`;
}
