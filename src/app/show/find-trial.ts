import { AssayError } from '../../core/errors.ts';
import type { RunReader } from '../../core/log.ts';
import type { Row } from '../../core/run.ts';
import { trialKey } from '../../core/trial.ts';
import { nearest } from '../../lib/text/suggest.ts';

const MAX_LISTED = 10;

/** The trial of a stored run with this key, or with this case id when only one trial has it. */
export async function findTrial(reader: RunReader, name: string, run: string): Promise<Row> {
  const keys: string[] = [];
  const ids = new Set<string>();
  const ofCase: Row[] = [];
  for await (const row of reader.rows()) {
    const key = trialKey(row);
    if (key === name) return row;
    if (row.caseId === name || plainKey(row) === name) ofCase.push(row);
    keys.push(key);
    ids.add(row.caseId);
  }
  const [only] = ofCase;
  if (only !== undefined && ofCase.length === 1) return only;
  if (ofCase.length > 1) {
    throw new AssayError('trial-ambiguous', `${run} has ${ofCase.length} trials of ${name}`, {
      stage: 'plan',
      hint: `name one of them: ${listed(ofCase.map(trialKey).sort())}`,
    });
  }
  throw new AssayError('trial-not-found', `${run} has no trial ${name}`, {
    stage: 'plan',
    hint: whatThereIs(name, keys, ids),
  });
}

/** The key as people write it who do not encode its parts. */
function plainKey({ suite, caseId, target, repetition }: Row): string {
  return `${suite}/${caseId}/${target}/r${repetition}`;
}

function whatThereIs(name: string, keys: readonly string[], ids: ReadonlySet<string>): string {
  if (keys.length === 0) return 'no trial of it has ended';
  const near = nearest(name, ids) ?? nearest(name, keys);
  return near === undefined ? `cases there are: ${listed([...ids])}` : `did you mean ${near}?`;
}

function listed(words: readonly string[]): string {
  const more = words.length > MAX_LISTED ? ` and ${words.length - MAX_LISTED} more` : '';
  return `${words.slice(0, MAX_LISTED).join(', ')}${more}`;
}
