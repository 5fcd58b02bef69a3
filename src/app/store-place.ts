import { join } from 'node:path';

import { projectFolder } from './project/project-folder.ts';
import { answers, type ServerPlace } from './server-client.ts';
import { serverOf } from './server-file.ts';
import type { Surroundings } from './surroundings.ts';

/** A database that this process opens itself. */
export type DatabasePlace = { readonly url: string } | { readonly data: string };

/** Where commands find the store. */
export type StorePlace = { readonly server: ServerPlace } | DatabasePlace;

/** The server of `ASSAY_URL`, else the running one of this project, else the database. */
export async function storePlace(surroundings: Surroundings): Promise<StorePlace> {
  const { ASSAY_URL: given } = surroundings.environment;
  if (given !== undefined && given !== '') {
    return { server: { url: given.replace(/\/+$/, ''), token: tokenIn(surroundings) } };
  }
  const folder = await projectFolder(surroundings);
  return (await runningServer(folder, surroundings)) ?? databasePlace(folder, surroundings);
}

/** The database, unless it is an embedded one that the running server of this project owns. */
export async function ownedPlace(surroundings: Surroundings): Promise<StorePlace> {
  const folder = await projectFolder(surroundings);
  const place = databasePlace(folder, surroundings);
  return 'url' in place ? place : ((await runningServer(folder, surroundings)) ?? place);
}

/** The server of `ASSAY_URL`, else the same. */
export async function queuePlace(surroundings: Surroundings): Promise<StorePlace> {
  const { ASSAY_URL: given = '' } = surroundings.environment;
  return given === '' ? await ownedPlace(surroundings) : await storePlace(surroundings);
}

/** The database of `DATABASE_URL`, else the embedded one in the folder of the project. */
export function databasePlace(folder: string, { environment }: Surroundings): DatabasePlace {
  const { DATABASE_URL: url } = environment;
  return url !== undefined && url !== '' ? { url } : { data: join(folder, '.assay/data') };
}

/** The server of a project, if it runs and answers. */
async function runningServer(
  folder: string,
  surroundings: Surroundings,
): Promise<{ readonly server: ServerPlace } | undefined> {
  const url = serverOf(folder);
  if (url === undefined || !(await answers(url))) return undefined;
  return { server: { url, token: tokenIn(surroundings) } };
}

function tokenIn({ environment: { ASSAY_TOKEN: token } }: Surroundings): string | undefined {
  return token === '' ? undefined : token;
}
