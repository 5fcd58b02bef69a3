import { expect } from 'vitest';

import type { Manifest } from '../../src/core/manifest.ts';
import type { Emitted } from '../../src/core/run.ts';
import type { UploadLine } from '../../src/core/run-upload.ts';
import { manifestOf } from '../../src/storage/run-directory/fixtures/runs.ts';

/** The lines of an upload of a run that has these facts. */
export function uploadOf(facts: readonly Emitted[], manifest: Partial<Manifest> = {}): readonly UploadLine[] {
  return [
    { type: 'run', manifest: manifestOf(manifest) },
    ...facts.map(
      (emitted, index) => ({ type: 'event', event: { sequence: index + 1, ...emitted } }) as const,
    ),
    { type: 'end' },
  ];
}

/** Sends lines to a server. */
export function sendUpload(url: string, lines: readonly object[]): Promise<Response> {
  return fetch(`${url}/api/v1/runs/upload`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson' },
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  });
}

/** Uploads a run of these facts to a server, and gives its id. */
export async function uploadedRun(
  url: string,
  facts: readonly Emitted[],
  manifest: Partial<Manifest> = {},
): Promise<string> {
  const answer = await sendUpload(url, uploadOf(facts, manifest));
  expect([answer.status, await answer.clone().json()]).toEqual([200, expect.anything()]);
  const { run } = (await answer.json()) as { readonly run: string };
  return run;
}
