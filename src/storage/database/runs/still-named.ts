import type { KeptArchived } from '../../../core/pruning.ts';
import type { ManifestHead } from '../../../core/run-store.ts';
import { splitTarget } from '../../runs/meant-run.ts';
import type { Queries } from '../database.ts';

type Because = KeptArchived['because'];

/** One run that names another one. */
interface Naming {
  readonly by: string;
  readonly named: string;
  readonly because: Because;
}

/** Manifests that are held at once. */
const PAGE = 500;

/** Which of these runs another run names that stays, and as what. */
export async function stillNamed(
  queries: Queries,
  runs: readonly string[],
): Promise<ReadonlyMap<string, Because>> {
  const kept = new Map<string, Because>();
  if (runs.length === 0) return kept;
  const asked = new Set(runs);
  const namings: Naming[] = [];
  for await (const naming of allNamings(queries)) if (asked.has(naming.named)) namings.push(naming);
  // A run that stays keeps what it names itself.
  for (let before = -1; before < kept.size;) {
    before = kept.size;
    for (const { by, named, because } of namings)
      if ((!asked.has(by) || kept.has(by)) && !kept.has(named)) kept.set(named, because);
  }
  return kept;
}

async function* allNamings({ query }: Queries): AsyncGenerator<Naming> {
  let after = '';
  for (;;) {
    const page = await query<{ id: string; source: string | null; manifest: string }>(
      `select id, source_run_id as source, manifest from run where id > $1 order by id limit ${PAGE}`,
      [after],
    );
    for (const { id: by, source, manifest } of page) {
      if (source !== null) yield { by, named: source, because: 'source' };
      const baseline = (JSON.parse(manifest) as ManifestHead).settings.options?.baseline;
      if (baseline !== undefined) yield { by, named: splitTarget(baseline).run, because: 'compared' };
    }
    if (page.length < PAGE) return;
    after = page.at(-1)?.id ?? '';
  }
}
