import { type HandedTrials, type Refusal, WAITING_FOR_WORKERS } from '../../core/handed-trials.ts';
import { plural } from '../../lib/text/plural.ts';

/** So many looks in a row find no worker before it is told: workers may be starting. */
const LOOKS = 2;

const SHOWN = 3;

/** Gives a function that tells, once for each reason, why no worker takes trials. Call it regularly. */
export function waitingForWorkers(
  { refusals }: Pick<HandedTrials, 'refusals'>,
  tell: (text: string) => void,
): () => Promise<void> {
  const told = new Set<string>();
  let looks = 0;
  return async () => {
    const refused = await refusals();
    looks = refused === undefined ? 0 : looks + 1;
    if (refused === undefined || looks < LOOKS) return;
    const text = waitingText(refused);
    if (told.has(text)) return;
    told.add(text);
    tell(text);
  };
}

function waitingText(refusals: readonly Refusal[]): string {
  if (refusals.length === 0)
    return `${WAITING_FOR_WORKERS}: none is running; start one with \`assay worker\` and the same database`;
  const shown = refusals.slice(0, SHOWN).map(({ worker, reason }) => `${worker}: ${reason}`);
  const more = refusals.length - shown.length;
  return [
    `${WAITING_FOR_WORKERS}: ${plural(refusals.length, 'worker')} refused this run`,
    ...shown,
    ...(more > 0 ? [`${plural(more, 'more worker')} (\`assay workers\` lists all)`] : []),
  ].join('; ');
}
