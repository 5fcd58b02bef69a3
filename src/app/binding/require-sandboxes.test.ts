import { expect, test } from 'vitest';

import { fakeEngine } from '../../sandboxes/fake-engine.fixture.ts';
import type { BoundRun } from './bind.ts';
import { requireSandboxes } from './require-sandboxes.ts';

const AGENT = { plugin: { programsLive: () => 'attempt' }, settings: { config: {} } };

test('each target is checked with its own network', async () => {
  using engine = fakeEngine('docker');
  engine.setImage('sha');
  const sandbox = { level: 'container', image: 'some:1', engine: 'docker', network: 'none' };
  const targets = {
    closed: { sandbox, ...AGENT },
    open: { sandbox: { ...sandbox, network: 'provider' }, ...AGENT },
  };
  const { directory, operatorEnvironment: environment } = engine.place;
  const bound = {
    use: { targets: new Map(Object.entries(targets)) },
    spec: { options: {} },
    machine: { loaded: { directory, environment } },
  } as unknown as BoundRun;
  await expect(requireSandboxes(bound, new AbortController().signal)).rejects.toMatchObject({
    code: 'sandbox-unavailable',
    message:
      'target open asks for the sandbox level container, which this machine cannot run: docker cannot limit connections to some addresses',
  });
});
