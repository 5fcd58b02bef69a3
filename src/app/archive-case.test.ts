import { expect, test } from 'vitest';

import { onBothDatabases } from '../../test/support/databases.ts';
import { codeOf } from '../../test/support/written-runs.ts';
import { storedCaseSchema } from '../authoring/stored/schema.ts';
import type { CaseFields } from '../core/case-store.ts';
import { databaseCases } from '../storage/database/cases/store.ts';
import { archiveCase } from './archive-case.ts';

onBothDatabases('archiving a case', (database) => {
  const create = () => {
    const {
      schema_version: _1,
      id: _2,
      created_at: _3,
      updated_at: _4,
      ...fields
    } = storedCaseSchema.parse({
      name: 'x',
    });
    return databaseCases(database()).create(fields as CaseFields);
  };

  test('keeps what others have changed since it was read', async () => {
    const store = databaseCases(database());
    const read = await create();
    await store.replace(read.id, { ...read.fields, description: 'edited' });
    const archived = await archiveCase(store, read);
    expect(archived.fields).toEqual({ ...read.fields, description: 'edited', status: 'archived' });
    expect(await store.called(read.id)).toEqual([archived]);
  });

  test('tells that a case is gone', async () => {
    const read = await create();
    await database().query('delete from test_case');
    expect(await codeOf(archiveCase(databaseCases(database()), read))).toBe('case-not-found');
  });
});
