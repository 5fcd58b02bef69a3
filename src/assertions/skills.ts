import { CONFIDENCES, type SessionReport, type SkillDetection } from '../core/session-report.ts';
import { checkCall, demand } from './expectation.ts';
import { checkCount, checkList } from './matcher.ts';
import { listShown, type Observed } from './observed.ts';
import type { SkillAssertionOptions } from './options.ts';
import { givenShown } from './given.ts';

/** Assertions on detected skills; names must be equal. */
export interface SkillAssertions {
  has(report: SessionReport, skill: string, options?: SkillAssertionOptions): void;
  notHas(report: SessionReport, skill: string, options?: SkillAssertionOptions): void;
  /** All of them were detected. */
  includes(report: SessionReport, skills: readonly string[], options?: SkillAssertionOptions): void;
  count(report: SessionReport, skill: string, count: number, options?: SkillAssertionOptions): void;
  exactlyOne(report: SessionReport, skill: string, options?: SkillAssertionOptions): void;
  /** Only these were detected; an empty list: no skills. */
  only(report: SessionReport, skills: readonly string[], options?: SkillAssertionOptions): void;
}

/** Assertions on skills that the agent used. */
export const skills: SkillAssertions = {
  has(report, skill, options) {
    decide(report, { names: [skill], options, method: skills.has, name: 'has' }, ({ found }) => ({
      sentence: found.includes(skill) ? undefined : `Expected the skill ${JSON.stringify(skill)}.`,
      expected: skill,
      actual: timesOf(skill, found),
    }));
  },
  notHas(report, skill, options) {
    const shown = JSON.stringify(skill);
    decide(report, { names: [skill], options, method: skills.notHas, name: 'notHas' }, ({ found }) => ({
      sentence: found.includes(skill) ? `Expected no skill ${shown}. Unexpected: ${shown}` : undefined,
      expected: 0,
      actual: timesOf(skill, found),
    }));
  },
  includes(report, names, options) {
    checkList(names);
    if (names.length === 0) throw new TypeError('the list of skills is empty');
    decide(report, { names, options, method: skills.includes, name: 'includes' }, ({ found }) => {
      const missing = names.filter((name) => !found.includes(name));
      const sentence = `Expected the skills ${quoted(names)}. Missing: ${quoted(missing)}`;
      return {
        sentence: missing.length === 0 ? undefined : sentence,
        expected: [...names],
        actual: missing,
      };
    });
  },
  count(report, skill, ...[count, options]) {
    checkCount(count);
    decide(report, { names: [skill], options, method: skills.count, name: 'count' }, ({ found }) =>
      counted(found, skill, count),
    );
  },
  exactlyOne(report, skill, options) {
    decide(report, { names: [skill], options, method: skills.exactlyOne, name: 'exactlyOne' }, ({ found }) =>
      counted(found, skill, 1),
    );
  },
  only(report, names, options) {
    checkList(names);
    decide(report, { names, options, method: skills.only, name: 'only' }, ({ detections }) => {
      const others = detections.filter(({ skill }) => !names.includes(skill));
      const wanted =
        names.length === 0 ? 'Expected no skills.' : `Expected only the skills ${quoted(names)}.`;
      return {
        sentence:
          others.length === 0 ? undefined : `${wanted} Unexpected: ${listShown(others.map(detectionShown))}`,
        expected: [...names],
        actual: others.map(({ skill }) => skill),
      };
    });
  },
};

interface Asked {
  readonly names: readonly unknown[];
  readonly options: SkillAssertionOptions | undefined;
  readonly method: (...args: never[]) => unknown;
  readonly name: string;
}

/** The failure message or undefined, and what was compared. */
interface Decided {
  readonly sentence: string | undefined;
  readonly expected: unknown;
  readonly actual: unknown;
}

interface Detected {
  readonly detections: readonly SkillDetection[];
  readonly found: readonly string[];
}

function decide(
  report: SessionReport,
  { names, options, method, name }: Asked,
  rule: (detected: Detected) => Decided,
): void {
  checkCall(report, options, ['minConfidence']);
  for (const each of names) {
    if (typeof each !== 'string' || each === '')
      throw new TypeError(`expected the name of a skill, got ${givenShown(each)}`);
  }
  const least = options?.minConfidence ?? 'weak';
  if (!CONFIDENCES.includes(least))
    throw new TypeError(`minConfidence: expected one of ${CONFIDENCES.join(', ')}, got ${givenShown(least)}`);
  const limit = CONFIDENCES.indexOf(least);
  const detections = report.detectedSkills.filter(
    ({ confidence }) => CONFIDENCES.indexOf(confidence) <= limit,
  );
  const observed = (): Observed => ({ label: 'skills', values: report.detectedSkills.map(detectionShown) });
  const { sentence, ...values } = rule({ detections, found: detections.map(({ skill }) => skill) });
  const compared = () => ({ report, ...values, observed: [...report.detectedSkills] });
  demand(sentence, observed, { method, operator: `skills.${name}`, options, compared });
}

function counted(found: readonly string[], skill: string, count: number): Decided {
  const actual = timesOf(skill, found);
  const times = count === 1 ? 'detection' : 'detections';
  const sentence = `Expected exactly ${count} ${times} of the skill ${JSON.stringify(skill)}, found ${actual}.`;
  return { sentence: actual === count ? undefined : sentence, expected: count, actual };
}

function timesOf(skill: string, found: readonly string[]): number {
  return found.filter((name) => name === skill).length;
}

function detectionShown({ skill, confidence }: SkillDetection): string {
  return `${skill} (${confidence})`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(', ');
}
