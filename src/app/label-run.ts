import { appendFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { AssayError } from '../core/errors.ts';
import { nameOfRun, rowsOf, type RunReference } from '../core/run-store.ts';
import { trialKey } from '../core/trial.ts';
import { whyUnreadable } from '../lib/files/why-unreadable.ts';
import { given } from '../lib/given.ts';
import { plural } from '../lib/text/plural.ts';
import { firstOf } from '../lib/text/first-of.ts';
import { didYouMean } from '../lib/text/suggest.ts';
import type { Screen } from '../core/log.ts';
import { paletteFor } from '../sinks/terminal/palette.ts';
import { spokenLines } from '../sinks/terminal/trial-page.ts';
import { clean, shellWord } from '../sinks/terminal/text.ts';
import { readLabels } from './calibration/read-labels.ts';
import { chooseTrials } from './label/choose-trials.ts';
import { readVerdict } from './label/read-verdict.ts';
import { openRuns } from './runs.ts';
import type { Surroundings } from './surroundings.ts';

export interface LabelRequest {
  readonly run: string;
  readonly out?: string;
  /** JSONL file to which labels are added. */
  readonly file: string;
  /** Name of the grade to label; absent: that of the only judge. */
  readonly expectation?: string;
  /** Who labels. */
  readonly by: string;
  /** Maximum number of trials. */
  readonly limit: number;
  readonly seed: number;
}

export interface LabelPlace {
  readonly screen: Screen;
  readonly surroundings: Surroundings;
  /** The next line that the person types; undefined at the end of the input. */
  readonly nextLine: () => Promise<string | undefined>;
}

/** Shows trials without their grades, one by one, and stores a person's verdicts as labels for `assay calibrate`. */
export async function labelRun(request: LabelRequest, place: LabelPlace): Promise<void> {
  const { screen, surroundings } = place;
  const found = await (await openRuns(request.out, surroundings)).find(request.run);
  const { id } = await found.run.head();
  const expectation = await expectationOf(found, request.expectation);
  const path = resolve(surroundings.cwd, request.file);
  const isBegun = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const known = isBegun ? readLabels(request.file, surroundings.cwd) : [];
  const own = known.filter(
    (label) => label.runId === id && label.expectation === expectation && label.by === request.by,
  );
  const done = new Set(own.map(({ key }) => key));
  const rows = await chooseTrials(rowsOf(found), { ...request, expectation, done });
  const transcripts = await found.run.transcripts(new Set(rows.map(trialKey)));
  const counts = {
    passed: own.filter(({ passed }) => passed).length,
    failed: own.filter(({ passed }) => !passed).length,
  };
  const palette = paletteFor(screen.colour);
  screen.write(
    `Does ${JSON.stringify(expectation)} hold for each of these answers? The grades are hidden.\n`,
  );
  let labelled = 0;
  for (const [index, row] of rows.entries()) {
    const key = trialKey(row);
    const head = `${index + 1} of ${rows.length}  ${clean(row.caseName ?? row.caseId, 120)}`;
    const lines = spokenLines(transcripts.get(key) ?? [], { palette });
    screen.write(`\n${palette.strong(head)}\n${lines.join('\n')}\n`);
    const verdict = await askedFor(place);
    if (verdict === 'quit') break;
    if (verdict === 'skip') continue;
    const { passed, note } = verdict;
    append(path, request.file, {
      trial: `${id}/${key}`,
      expectation,
      verdict: passed ? 'passed' : 'failed',
      ...given({ note }),
      by: request.by,
    });
    labelled += 1;
    counts[passed ? 'passed' : 'failed'] += 1;
  }
  screen.write(closing({ ...counts, labelled, file: request.file }));
}

async function askedFor({
  screen,
  nextLine,
}: LabelPlace): Promise<Exclude<ReturnType<typeof readVerdict>, undefined>> {
  for (;;) {
    screen.write('y = yes, n = no, s = skip, q = quit; a note can follow, such as "n too long": ');
    const line = await nextLine();
    screen.write('\n');
    if (line === undefined) return 'quit';
    const verdict = readVerdict(line);
    if (verdict !== undefined) return verdict;
  }
}

/** The grades that a judge gave come first: labels are for calibrating judges. */
async function expectationOf(found: RunReference, wanted: string | undefined): Promise<string> {
  const names = new Set<string>();
  const judged = new Set<string>();
  for await (const { grades } of rowsOf(found)) {
    for (const grade of grades) {
      names.add(grade.name);
      if (grade.model !== undefined) judged.add(grade.name);
    }
  }
  const called = nameOfRun(found);
  if (wanted !== undefined && names.has(wanted)) return wanted;
  if (wanted !== undefined) {
    const hint = didYouMean(wanted, names) ?? `it has ${firstOf(names, 10)}`;
    throw refused(`${called} has no grade "${wanted}"`, hint);
  }
  const [only, ...more] = judged.size > 0 ? judged : names;
  if (only === undefined) throw refused(`${called} has no grades`, 'label a run whose trials were graded');
  if (more.length > 0)
    throw refused(
      `${called} has several grades to label`,
      `name one with --expectation: ${firstOf([only, ...more], 10)}`,
    );
  return only;
}

function append(path: string, shown: string, label: object): void {
  try {
    appendFileSync(path, `${JSON.stringify(label)}\n`);
  } catch (cause) {
    throw new AssayError(
      'labels-unreadable',
      `the labels in ${shown} cannot be written: ${whyUnreadable(cause)}`,
      {
        stage: 'plan',
        hint: 'choose another file with --labels',
        cause,
      },
    );
  }
}

interface Closing {
  readonly labelled: number;
  readonly passed: number;
  readonly failed: number;
  readonly file: string;
}

function closing({ labelled, passed, failed, file }: Closing): string {
  const lines = [`${plural(labelled, 'label')} added to ${file}: now ${passed} passed and ${failed} failed`];
  if (passed + failed > 0 && Math.min(passed, failed) < LEAST_OF_KIND) {
    const kind = failed < passed ? 'failed' : 'passed';
    lines.push(
      `Label more answers that ${kind}: with fewer than ${LEAST_OF_KIND}, agreement on them is only a guess.`,
    );
  }
  if (passed + failed > 0) lines.push(`Next: assay calibrate ${shellWord(file)}`);
  return `${lines.join('\n')}\n`;
}

/** With fewer labels of a kind, its rate has an interval of more than half the scale. */
const LEAST_OF_KIND = 10;

function refused(message: string, hint: string): AssayError {
  return new AssayError('usage', message, { stage: 'plan', hint });
}
