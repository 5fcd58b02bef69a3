import { expect, test } from 'vitest';

import { apiClient, RefusedError } from '../api/client.ts';
import { askingServer } from './server-client.ts';

const SERVER = { url: 'http://127.0.0.1:4640', token: undefined };

const refusedWith = (problems: readonly { code: string; param: string; message: string; hint?: string }[]) =>
  askingServer(SERVER, async () => {
    const message = 'no model for the user (and 1 more, see `problems`)';
    throw new RefusedError(422, { code: 'invalid-body', message, param: '', request_id: 'r', problems });
  });

test('all problems that a server tells are told, with their place in the request', async () => {
  const refused = refusedWith([
    { code: 'no-user', param: '', message: 'no model for the user', hint: 'add `user`' },
    { code: 'unknown-case', param: 'select.id.0', message: 'no case "x"' },
  ]);
  const file = 'the server at http://127.0.0.1:4640';
  await expect(refused).rejects.toMatchObject({
    message: '2 problems found; nothing was changed',
    problems: [
      { file, code: 'no-user', message: 'no model for the user', hint: 'add `user`' },
      { file, subject: 'select.id.0', code: 'unknown-case', message: 'no case "x"' },
    ],
  });
});

test.each(['{"message":"Not Found"}', '{"error":"not_found"}', 'null', '[]', '<html>'])(
  'an error %s of another program says that this is no assay server',
  async (body) => {
    const client = apiClient(SERVER.url, async () => new Response(body, { status: 404 }));
    const asked = askingServer(SERVER, () => client<'getSettings'>('/settings', { path: {} }));
    await expect(asked).rejects.toMatchObject({
      code: 'server-unreachable',
      message: 'the server at http://127.0.0.1:4640 is not an assay server',
    });
  },
);
