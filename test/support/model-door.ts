import type { ModelDoor } from '../../src/core/model.ts';
import { openDoor } from '../../src/models/door.ts';

/** A door whose provider `local` is the endpoint at `baseUrl`, with waits of milliseconds. */
export function modelDoor(baseUrl: string): ModelDoor {
  return openDoor({
    providers: { local: { baseUrl } },
    environment: {},
    directory: process.cwd(),
    seed: 7,
    retry: { firstWaitMs: 2 },
  });
}
