import { onTestFinished } from 'vitest';

import {
  startModelServer,
  type ModelServer,
  type ModelServerOptions,
} from '../../src/models/mock-server/server.ts';
import type { Script } from '../../src/models/mock-server/script.ts';

/** A scripted model server that ends with the test. */
export async function modelServer(
  script: Script = {},
  options: ModelServerOptions = {},
): Promise<ModelServer> {
  const server = await startModelServer({ ...options, script });
  onTestFinished(async () => await server[Symbol.asyncDispose]());
  return server;
}

export type { Script };
