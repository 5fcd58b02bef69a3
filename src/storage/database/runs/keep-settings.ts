import type { ManifestHead } from '../../../core/run-store.ts';
import { startSettings } from '../../../core/start-settings.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { suitesDigest } from '../../runs/suites-digest.ts';
import type { Queries } from '../database.ts';

/** Writes what a manifest tells of the whole run: the request with its defaults, the digest of its cases, its budget. */
export async function keepSettings({ query }: Queries, id: string, manifest: ManifestHead): Promise<void> {
  const [row] = await query<{ settings: string | null }>('select settings from run where id = $1', [id]);
  const asked = row?.settings == null ? {} : (JSON.parse(row.settings) as JsonObject);
  await query('update run set settings = $2::text::json, case_digest = $3, budget_usd = $4 where id = $1', [
    id,
    JSON.stringify(startSettings(manifest, asked)),
    suitesDigest(manifest),
    manifest.settings.options?.maxCostUsd ?? null,
  ]);
}
