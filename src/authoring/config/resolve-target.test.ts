import { describe, expect, it } from 'vitest';

import { formatProblem } from '../../core/problem.ts';
import { processEnvironment, resolveTarget } from './resolve-target.ts';
import { folderWith, loadedFrom, loadIn } from './scratch.fixture.ts';

const YAML = `
targets:
  support:
    type: http
    url: "\${{ BASE }}/agent"
    headers: { authorization: "Bearer \${{SUPPORT_KEY}}" }
    passEnv: [REGION]
    env: { MODE: "\${{ MODE }}" }
    maxParallel: 2
    tools: [{ name: refund, parameters: { type: object } }]
    price: { input: 1, output: 2 }
  broken: { type: model, model: "\${{ NOT_SET }}", passEnv: [NOR_THIS], apiKeyEnv: MODEL_KEY }
`;
const environment = { BASE: 'http://127.0.0.1:1', SUPPORT_KEY: 'abc', REGION: 'eu', MODE: 'test' };

describe('a target that is used', () => {
  it('replaces environment variables, passes on the keys of its type, and stays as written for digests', async () => {
    const loaded = await loadedFrom(YAML, { environment });
    const { settings, written, environmentNames, problems } = resolveTarget(loaded, 'support');
    expect(problems).toEqual([]);
    expect(settings).toEqual({
      name: 'support',
      type: 'http',
      passEnv: ['REGION'],
      env: { MODE: 'test' },
      maxParallel: 2,
      tools: [{ name: 'refund', parameters: { type: 'object' } }],
      price: { input: 1, output: 2 },
      config: { url: 'http://127.0.0.1:1/agent', headers: { authorization: 'Bearer abc' } },
    });
    expect(written['url']).toBe('${{ BASE }}/agent');
    expect(JSON.stringify(written)).not.toContain('abc');
    expect(environmentNames).toEqual(['BASE', 'SUPPORT_KEY', 'MODE', 'REGION']);
  });

  it('needs every variable that it refers to; an unused target needs no variable', async () => {
    const loaded = await loadedFrom(YAML, { environment });
    const { settings, environmentNames, problems } = resolveTarget(loaded, 'broken');
    expect(settings).toBeUndefined();
    expect(environmentNames).toEqual(['NOT_SET', 'NOR_THIS', 'MODEL_KEY']);
    expect(problems.map(formatProblem)).toEqual([
      'assay.config.yaml:12:33  environment-unset  targets.broken.model: environment variable NOT_SET is not set  (set the variable, or add it to .env next to the config)',
      'assay.config.yaml:12:61  environment-unset  targets.broken.passEnv[0]: environment variable NOR_THIS is not set  (set the variable, or add it to .env next to the config)',
    ]);
  });

  it('cannot be given a variable that ties git to a repository', async () => {
    const text = 'targets: { bot: { type: http, url: "http://a.test", passEnv: [GIT_DIR, GIT_NAMESPACE] } }';
    const loaded = await loadedFrom(text, { environment: { ...environment, GIT_DIR: '/x' } });
    const { problems } = resolveTarget(loaded, 'bot');
    expect(problems.map(({ message, hint }) => `${message}  (${hint})`)).toEqual(
      ['GIT_DIR', 'GIT_NAMESPACE'].map(
        (name, at) =>
          `targets.bot.passEnv[${at}]: ${name} ties git to one repository, so no program gets it  (leave it out; git finds the repository of its folder)`,
      ),
    );
  });

  it('is checked again after its variables are replaced', async () => {
    const loaded = await loadedFrom(YAML, { environment: { ...environment, BASE: 'nowhere' } });
    const { problems } = resolveTarget(loaded, 'support');
    expect(problems.map(({ line, column, code }) => [line, column, code])).toEqual([
      [5, 10, 'invalid-value'],
    ]);
  });

  it('reads a text from the file that it names, and is refused when the file is missing', async () => {
    const yaml = `targets:
  a: { type: model, model: m, system: prompts/a.md }
  b: { type: model, model: m, system: "file://gone.txt" }
  c: { type: model, model: m, system: Answer like a.md }
  d: { type: model, model: m, system: /no_think }
`;
    const folder = folderWith({ 'assay.config.yaml': yaml, 'prompts/a.md': 'Be\nbrief.\n' });
    const { loaded } = await loadIn(folder);
    const systemOf = (name: string) => resolveTarget(loaded!, name).settings?.config['system'];
    expect(systemOf('a')).toBe('Be\nbrief.');
    expect(resolveTarget(loaded!, 'a').written['system']).toBe('prompts/a.md');
    expect([systemOf('c'), systemOf('d')]).toEqual(['Answer like a.md', '/no_think']);
    expect(resolveTarget(loaded!, 'b').problems.map(formatProblem)).toEqual([
      'assay.config.yaml:3:39  missing-file  targets.b.system: file not found: gone.txt  (write a path relative to the config; a value that looks like a path is read as a file)',
    ]);
  });

  it('reads .env next to the config, and the given environment overrides it', async () => {
    const loaded = await loadedFrom(YAML, {
      environment: { BASE: 'http://given' },
      dotenv: 'BASE=http://file\nSUPPORT_KEY=from-file\nREGION=x\nMODE=y\n',
    });
    expect(resolveTarget(loaded, 'support').settings?.config).toEqual({
      url: 'http://given/agent',
      headers: { authorization: 'Bearer from-file' },
    });
  });

  it('is refused with the nearest name when it is unknown', async () => {
    const loaded = await loadedFrom(YAML, { environment });
    expect(resolveTarget(loaded, 'suport').problems.map(formatProblem)).toEqual([
      'assay.config.yaml:2:1  unknown-target  unknown target "suport"  (did you mean `support`?)',
    ]);
  });

  it('is reported at the flag that named it', async () => {
    const loaded = await loadedFrom(YAML, { environment });
    expect(resolveTarget(loaded, 'suport', '--judge').problems.map(formatProblem)).toEqual([
      '--judge suport  unknown-target  unknown target "suport"  (did you mean `support`?)',
    ]);
  });

  it('can be a stored run', async () => {
    const loaded = await loadedFrom(YAML);
    expect(resolveTarget(loaded, 'replay:latest#support')).toEqual({
      settings: { name: 'replay:latest#support', type: 'replay', config: { run: 'latest#support' } },
      written: { type: 'replay', run: 'latest#support' },
      warnings: [],
      environmentNames: [],
      problems: [],
    });
  });
});

describe('the environment of its processes', () => {
  it('is the allow-list, then passed variables, then its own', () => {
    const operator = { PATH: '/bin', LC_ALL: 'C', OTHER_SECRET: 's', REGION: 'eu', MODE: 'prod' };
    const target = { passEnv: ['REGION', 'ABSENT', 'MODE'], env: { MODE: 'test', EXTRA: '1' } };
    expect(processEnvironment(operator, target)).toEqual({
      PATH: '/bin',
      LC_ALL: 'C',
      REGION: 'eu',
      MODE: 'test',
      EXTRA: '1',
    });
    expect(processEnvironment(operator)).toEqual({ PATH: '/bin', LC_ALL: 'C' });
  });
});

it('a tool that a target lists twice is refused', async () => {
  const target = '{ type: mock, response: x, tools: [{ name: refund }, { name: refund }] }';
  const { problems } = await loadIn(folderWith({ 'assay.config.yaml': `targets: { one: ${target} }` }));
  expect(problems.map(formatProblem)).toEqual([
    'assay.config.yaml:1:78  duplicate-tool  targets.one: tools[1].name: duplicate tool "refund"',
  ]);
});
