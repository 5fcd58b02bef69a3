import type { IncomingHttpHeaders } from 'node:http';

import { describe, expect, test } from 'vitest';

import { countingServer } from '../../test/support/counting-server.ts';
import type { MeasurementError } from '../core/errors.ts';
import type { ModelDoor, ModelRequest } from '../core/model.ts';
import { addressGuard } from '../lib/http/address-guard.ts';
import { askOf, doorTo, PROVIDERS, saying } from './door.fixture.ts';

const lookup = async () => ['127.0.0.1'];
const strict = addressGuard({ privateHosts: [], lookup });

async function failureOf(door: ModelDoor, request: ModelRequest) {
  const error = await askOf(door, request).then(
    () => undefined,
    (reason: unknown) => reason as MeasurementError,
  );
  const { stage, kind, detail, message, transient } = error ?? {};
  return { told: [stage, kind, detail, transient ?? false], message };
}

describe('a guarded request to a model', () => {
  test.each(PROVIDERS.map(({ provider }) => provider))(
    'of %s makes no connection to a name that leads to this machine',
    async (provider) => {
      const server = await countingServer();
      const door = doorTo(`http://models.test:${server.port}`);
      for (const pulse of [{}, { pulse: () => {} }]) {
        const request = saying('hi', { model: `${provider}/any`, addresses: strict, ...pulse });
        expect(await failureOf(door, request)).toEqual({
          told: ['target', 'target-unavailable', 'address-forbidden', false],
          message: `${provider}/any: connections to the private address models.test (127.0.0.1) are not allowed`,
        });
      }
      expect(server.connections()).toBe(0);
    },
  );

  test('is guarded also where the same model was asked without a guard before', async () => {
    const server = await countingServer((_, response) => void response.writeHead(401).end());
    const door = doorTo(`http://127.0.0.1:${server.port}`);
    const without = await failureOf(door, saying('hi'));
    const before = server.connections();
    const guarded = await failureOf(door, saying('hi', { addresses: strict }));
    expect([without.told[2], guarded.told[2], before, server.connections()]).toEqual([
      'credentials-rejected',
      'address-forbidden',
      1,
      1,
    ]);
  });

  test('follows no redirect', async () => {
    const inner = await countingServer();
    const server = await countingServer((_, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${inner.port}` }).end();
    });
    const door = doorTo(`http://127.0.0.1:${server.port}`);
    const { told, message } = await failureOf(door, saying('hi', { addresses: addressGuard({}) }));
    expect([told, message]).toEqual([
      ['target', 'http-error', 'http-307', false],
      'local/any: status 307, a redirect that is not followed',
    ]);
    expect(inner.connections()).toBe(0);
  });

  test('to another address does not get the key of the provider', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const server = await countingServer((request, response) => {
      seen.push(request.headers);
      response.writeHead(401).end();
    });
    const baseUrl = `http://127.0.0.1:${server.port}/v1`;
    const door = doorTo(baseUrl);
    const asked = { baseUrl, addresses: addressGuard({}) };
    await failureOf(door, saying('hi', asked));
    await failureOf(door, saying('hi', { ...asked, apiKeyEnv: 'OPENAI_API_KEY' }));
    expect(seen.map(({ authorization }) => authorization)).toEqual([undefined, 'Bearer test-openai_api_key']);
  });
});
