import { agreementOf, correctedRate, type Corrected } from '../../analysis/calibration.ts';
import type { Calibration } from '../../core/calibration.ts';
import type { Grade } from '../../core/grade.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { Row } from '../../core/run.ts';
import type { StoredRun } from '../../core/run-store.ts';
import { trialKey } from '../../core/trial.ts';
import { sha256 } from '../../lib/digest.ts';
import { given } from '../../lib/given.ts';
import { isObject } from '../../lib/json.ts';
import { plural } from '../../lib/text/plural.ts';
import { effectiveTrials, squareBy } from '../../reading/effective-trials.ts';
import { instrumentOf } from './calibration-file.ts';
import type { Label } from './read-labels.ts';

/** A grade that differs from the verdict of a person. */
export interface Disagreement {
  readonly key: string;
  /** Of a stored case. */
  readonly caseName?: string;
  readonly expectation: string;
  readonly person: 'passed' | 'failed';
  readonly by: string;
  readonly note?: string;
  readonly score: number | null;
  readonly reason: string;
}

export interface CalibratedGrader {
  readonly calibration: Calibration;
  /** In the held-out half. */
  readonly disagreements: readonly Disagreement[];
  /** Pass rate over the whole run, observed and corrected. Null if it cannot be corrected. */
  readonly rate: Corrected | null;
}

/** How well the graders of a run agree with labels. */
export interface RunAgreement {
  readonly runId: string;
  readonly graders: readonly CalibratedGrader[];
  /** Number of unusable labels, by reason. */
  readonly unused: Readonly<Record<string, number>>;
}

/** Fewest labels and labelled cases for a gate. A calibration with fewer is only shown. */
const LEAST_LABELS = 50;
const LEAST_CASES = 20;

const DEFAULT_SEED = 1;

export interface AgreementOptions {
  /** Seed for choosing the held-out half. */
  readonly seed?: number | undefined;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** Compares the grades of a run with labels; no grader has one: `graders` is empty. */
export async function agreementOfRun(
  run: Pick<StoredRun, 'manifest' | 'rows'>,
  labels: readonly Label[],
  { seed = DEFAULT_SEED, nowMs }: AgreementOptions,
): Promise<RunAgreement> {
  const manifest = await run.manifest();
  const { byPlace, unused } = placedLabels(labels, manifest);
  const counted = new Map<string, Counted>();
  for await (const row of run.rows()) count(row, { manifest, byPlace, counted, unused });
  for (const { used, labels: missed } of byPlace.values())
    if (!used) add(unused, 'with a trial or expectation that the run does not have', missed);
  const known = [...counted.values()].filter(({ pairs }) => pairs.length > 0);
  const about = { seed, calibratedAt: new Date(nowMs).toISOString(), runId: manifest.id };
  return {
    runId: manifest.id,
    graders: known.map((grader) => calibrated(grader, about)),
    unused: Object.fromEntries(unused),
  };
}

interface PlacedLabel {
  readonly label: Label;
  /** Number of labels here, of all people. */
  labels: number;
  /** Two people disagree, so no label here counts. */
  disputed: boolean;
  used: boolean;
}

/** In labels that are not of a certain run, such as those that assay brings. */
const THIS_RUN = 'latest';

/** Labels of this run, or of the run that it graded again, by trial and expectation. */
function placedLabels(labels: readonly Label[], { id, sourceRunId }: Manifest) {
  const byPlace = new Map<string, PlacedLabel>();
  const unused = new Map<string, number>();
  for (const label of labels) {
    if (label.runId !== id && label.runId !== sourceRunId && label.runId !== THIS_RUN) {
      add(unused, 'for another run');
      continue;
    }
    if (label.expectation === null) {
      add(unused, 'of whole trials, which say nothing about a single grader');
      continue;
    }
    const place = `${label.key}\n${label.expectation}`;
    const before = byPlace.get(place);
    if (before === undefined) {
      byPlace.set(place, { label, labels: 1, disputed: false, used: false });
      continue;
    }
    before.labels += 1;
    if (before.label.passed !== label.passed) before.disputed = true;
  }
  return { byPlace, unused };
}

interface LabelledGrade {
  readonly key: string;
  readonly caseName: string | undefined;
  /** Suite and id of the case. */
  readonly case: string;
  readonly grade: Grade;
  readonly label: Label;
}

/** The counts of one grader over a run. */
interface Counted {
  readonly about: Pick<Calibration, 'expectation' | 'type' | 'judge' | 'promptDigest'>;
  readonly digests: Set<string>;
  readonly pairs: LabelledGrade[];
  passed: number;
  decided: number;
  /** Sum of the squares of the decided trials of each case. */
  squares: number;
}

interface Counting {
  readonly manifest: Manifest;
  readonly byPlace: ReadonlyMap<string, PlacedLabel>;
  readonly counted: Map<string, Counted>;
  readonly unused: Map<string, number>;
}

function count(row: Row, { manifest, byPlace, counted, unused }: Counting): void {
  const key = trialKey(row);
  for (const grade of row.grades) {
    const about = aboutOf(grade, row.grades);
    const grader: Counted = counted.get(instrumentOf(about)) ?? {
      about,
      digests: new Set(),
      pairs: [],
      passed: 0,
      decided: 0,
      squares: 0,
    };
    const placed = byPlace.get(`${key}\n${grade.name}`);
    if (placed !== undefined) placed.used = true;
    if (grade.score === null) {
      if (placed !== undefined) add(unused, 'for a grade that could not be decided', placed.labels);
      continue;
    }
    counted.set(instrumentOf(about), grader);
    grader.decided += 1;
    grader.squares += squareBy(row.repetition);
    if (grade.passed) grader.passed += 1;
    if (placed === undefined) continue;
    if (placed.disputed) {
      add(unused, 'with contradictory verdicts of two people', placed.labels);
      continue;
    }
    const digest = grade.digest === undefined ? undefined : manifest.digests[grade.digest];
    if (digest !== undefined) grader.digests.add(digest);
    grader.pairs.push({
      key,
      caseName: row.caseName,
      case: `${row.suite}\n${row.caseId}`,
      grade,
      label: placed.label,
    });
  }
}

/** A required item of a rubric is decided by the judge of the rubric. */
function aboutOf(grade: Grade, all: readonly Grade[]): Counted['about'] {
  const whole =
    all.find(({ name, type }) => type === grade.type && grade.name.startsWith(`${name}/`)) ?? grade;
  const details = isObject(whole.details) ? whole.details : {};
  const { judge, promptDigest } = details;
  return {
    expectation: grade.name,
    type: grade.type,
    ...(typeof judge === 'string' ? { judge } : {}),
    ...(typeof promptDigest === 'string' ? { promptDigest } : {}),
  };
}

function calibrated(
  { about, digests, pairs, passed, decided, squares }: Counted,
  { seed, calibratedAt, runId }: Pick<Calibration, 'seed' | 'calibratedAt' | 'runId'>,
): CalibratedGrader {
  const heldOut = heldOutHalf(pairs, seed);
  const agreement = agreementOf(
    heldOut.map((pair) => ({ case: pair.case, grader: pair.grade.passed, person: pair.label.passed })),
    seed,
  );
  const cases = new Set(pairs.map((pair) => pair.case)).size;
  const notEnough = whyNotEnough({ labels: pairs.length, cases }, heldOut);
  const effective = effectiveTrials({ trials: decided, squares });
  return {
    calibration: {
      ...about,
      digests: [...digests].toSorted(),
      runId,
      seed,
      calibratedAt,
      by: [...new Set(pairs.map(({ label }) => label.by))].toSorted(),
      labels: pairs.length,
      cases,
      ...agreement,
      ...given({ notEnough }),
    },
    disagreements: heldOut.filter(({ grade, label }) => grade.passed !== label.passed).map(disagreementOf),
    rate: correctedRate({ hits: passed, trials: decided, effective }, agreement),
  };
}

/**
 * The labels of half of the cases, chosen by the seed. The order of the file does not change the half. Labels
 * of one case are similar, so they are never in both halves.
 */
function heldOutHalf(pairs: readonly LabelledGrade[], seed: number): readonly LabelledGrade[] {
  const lots = [...new Set(pairs.map((pair) => pair.case))].map((name) => ({
    name,
    lot: sha256(`${seed}\n${name}`),
  }));
  const sorted = lots.toSorted((one, other) => (one.lot < other.lot ? -1 : 1));
  const drawn = new Set(sorted.slice(0, Math.ceil(sorted.length / 2)).map(({ name }) => name));
  return pairs
    .filter((pair) => drawn.has(pair.case))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

function whyNotEnough(
  { labels, cases }: { readonly labels: number; readonly cases: number },
  heldOut: readonly LabelledGrade[],
): string | undefined {
  if (labels < LEAST_LABELS) return `only ${plural(labels, 'label')}, but ${LEAST_LABELS} are needed`;
  if (cases < LEAST_CASES) {
    return `the ${labels} labels belong to ${plural(cases, 'case')}, but ${LEAST_CASES} cases are needed`;
  }
  const passed = heldOut.filter(({ label }) => label.passed).length;
  if (passed > 0 && passed < heldOut.length) return undefined;
  return passed === 0
    ? 'every measured label is "failed": add answers that pass'
    : 'every measured label is "passed": add answers that fail';
}

function disagreementOf({ key, caseName, grade, label }: LabelledGrade): Disagreement {
  return {
    key,
    ...given({ caseName }),
    expectation: grade.name,
    person: label.passed ? 'passed' : 'failed',
    by: label.by,
    ...given({ note: label.note }),
    score: grade.score,
    reason: grade.reason,
  };
}

function add(counts: Map<string, number>, reason: string, labels = 1): void {
  counts.set(reason, (counts.get(reason) ?? 0) + labels);
}
