import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

import { migrate } from '../../src/storage/database/migrate.ts';
import { serverDatabase } from '../../src/storage/database/server-database.ts';
import { startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Makes databases: `POST /empty` and `POST /migrated` answer with an address, which `DELETE` removes. */
    postgres: string;
    /** A folder for the whole run of the tests. */
    databases: string;
  }
}

/** Before the first test: one PostgreSQL server for all, which starts when the first test asks for a database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-databases-'));
  let started: Promise<Maker> | undefined;
  const door = createServer(({ method, url = '' }, response) => {
    const answered = (started ??= startMaker()).then((maker) =>
      method === 'DELETE' ? maker.remove(url.slice(1)) : maker.make(url.slice(1) as Content),
    );
    // On a busy machine a kept connection may be closed just when the next request is sent.
    response.setHeader('connection', 'close');
    answered.then(
      (text) => response.end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(door, 'listening');
  project.provide('postgres', `http://127.0.0.1:${(door.address() as AddressInfo).port}`);
  project.provide('databases', folder);
  return async () => {
    door.close();
    await (await started?.catch(() => undefined))?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

type Content = 'empty' | 'migrated';

interface Maker {
  make(content: Content): Promise<string>;
  remove(name: string): Promise<string>;
  stop(): Promise<void>;
}

const TEMPLATES: Readonly<Record<Content, string>> = { empty: 'template1', migrated: 'migrated' };

async function startMaker(): Promise<Maker> {
  const server = await startPostgres();
  const admin = await serverDatabase(server.url('postgres'));
  await admin.query(`create database ${TEMPLATES.migrated}`);
  const template = await serverDatabase(server.url(TEMPLATES.migrated));
  await migrate(template);
  await template.close();
  let made = 0;
  let last: Promise<unknown> = Promise.resolve();
  /** A template is copied once at a time. */
  const inTurn = async (sql: string) => {
    last = last.catch(() => undefined).then(() => admin.query(sql));
    await last;
  };
  return {
    async make(content) {
      made += 1;
      const name = `test_${made}`;
      await inTurn(`create database ${name} template ${TEMPLATES[content]}`);
      return server.url(name);
    },
    async remove(name) {
      await inTurn(`drop database ${name} with (force)`);
      return '';
    },
    async stop() {
      await admin.close();
      await server.stop();
    },
  };
}
