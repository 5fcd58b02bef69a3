import type { ModelAnswer, ModelDoor, ModelRequest } from '../core/model.ts';
import { openDoor, type DoorOptions } from './door.ts';

/** The four protocols: model, address below the server, settings. */
export const PROVIDERS = [
  { provider: 'openai', base: '/v1', keyName: 'OPENAI_API_KEY' },
  { provider: 'anthropic', base: '/v1', keyName: 'ANTHROPIC_API_KEY' },
  { provider: 'google', base: '/v1beta', keyName: 'GOOGLE_GENERATIVE_AI_API_KEY' },
  { provider: 'local', base: '/v1', keyName: 'LOCAL_API_KEY' },
] as const;

/** A door to the server at `url`, with a key for every provider and waits of milliseconds. */
export function doorTo(url: string, options: Partial<DoorOptions> = {}): ModelDoor {
  return openDoor({
    providers: Object.fromEntries(
      PROVIDERS.map(({ provider, base, keyName }) => [
        provider,
        { baseUrl: `${url}${base}`, apiKeyEnv: keyName },
      ]),
    ),
    environment: Object.fromEntries(
      PROVIDERS.map(({ keyName }) => [keyName, `test-${keyName.toLowerCase()}`]),
    ),
    directory: process.cwd(),
    seed: 7,
    retry: { firstWaitMs: 2 },
    ...options,
  });
}

export function saying(text: string, more: Partial<ModelRequest> = {}): ModelRequest {
  return { role: 'agent', model: 'local/any', messages: [{ role: 'user', parts: [{ text }] }], ...more };
}

export async function askOf(
  door: ModelDoor,
  request: ModelRequest,
  signal?: AbortSignal,
): Promise<ModelAnswer> {
  return await door.ask(request, signal ?? new AbortController().signal);
}
