import { runNotHere } from '../../../core/run-upload.ts';
import type { Queries } from '../database.ts';

/** Throws `run-not-here` for a run that was uploaded. */
export async function refuseUploaded({ query }: Queries, run: string): Promise<void> {
  const [uploaded] = await query(`select 1 from run where id = $1 and origin = 'upload'`, [run]);
  if (uploaded !== undefined) throw runNotHere(run);
}
