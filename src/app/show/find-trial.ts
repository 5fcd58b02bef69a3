import { AssayError } from '../../core/errors.ts';
import type { Row } from '../../core/run.ts';
import type { StoredRun } from '../../core/run-store.ts';
import { parseTrialKey, trialKey } from '../../core/trial.ts';
import { firstOf } from '../../lib/text/first-of.ts';
import { didYouMean } from '../../lib/text/suggest.ts';

const MAX_LISTED = 10;

/** The trial with this key, or the only trial with this case id. Throws `trial-ambiguous` or `trial-not-found`. */
export async function findTrial(run: StoredRun, name: string, called: string): Promise<Row> {
  const ofCase: Row[] = [];
  for await (const row of run.rowsOfCases(await casesMeant(run, name))) {
    if (trialKey(row) === name) return row;
    if (row.caseId === name || plainKey(row) === name) ofCase.push(row);
  }
  const [only] = ofCase;
  if (only !== undefined && ofCase.length === 1) return only;
  if (ofCase.length > 1) {
    throw new AssayError('trial-ambiguous', `${called} has ${ofCase.length} trials of ${name}`, {
      stage: 'plan',
      hint: `name one of them: ${firstOf(ofCase.map(trialKey).sort(), MAX_LISTED)}`,
    });
  }
  throw new AssayError('trial-not-found', `${called} has no trial ${name}`, {
    stage: 'plan',
    hint: await whatThereIs(name, run),
  });
}

/** The case ids that a name can mean: a case id, a key, or a key without encoding. */
async function casesMeant(run: StoredRun, name: string): Promise<ReadonlySet<string>> {
  const { suites, targets } = await run.head();
  const written = suites.flatMap(({ id }) => {
    const rest = name.startsWith(`${id}/`) ? name.slice(id.length + 1) : '';
    const ends = targets.map((target) => `/${target.name}/${/r\d+$/.exec(rest)?.[0]}`);
    return ends.flatMap((end) => (rest.endsWith(end) ? [rest.slice(0, -end.length)] : []));
  });
  const { caseId } = parseTrialKey(name) ?? { caseId: name };
  return new Set([name, caseId, ...written]);
}

/** The key without encoding. */
function plainKey({ suite, caseId, target, repetition }: Row): string {
  return `${suite}/${caseId}/${target}/r${repetition}`;
}

async function whatThereIs(name: string, run: StoredRun): Promise<string> {
  const keys: string[] = [];
  const ids = new Set<string>();
  for await (const row of run.rows()) {
    keys.push(trialKey(row));
    ids.add(row.caseId);
  }
  if (keys.length === 0) return 'the run has no finished trials';
  const meant = didYouMean(name, ids) ?? didYouMean(name, keys);
  return meant ?? `existing cases: ${firstOf(ids, MAX_LISTED)}`;
}
