import type { ServerPlace } from '../app/server-client.ts';
import type { Surroundings } from '../app/surroundings.ts';

/** The server that owns the store of this project. Undefined: this process opens the database itself. */
export async function serverOfStore(around: Surroundings): Promise<ServerPlace | undefined> {
  const { storePlace } = await import('../app/store-place.ts');
  const place = await storePlace(around);
  return 'server' in place ? place.server : undefined;
}
