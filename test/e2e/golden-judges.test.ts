import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import type { Calibration } from '../../src/core/calibration.ts';
import * as namedJudges from '../../src/graders/named-judges.ts';
import { modelServer } from '../support/model-server.ts';
import { openProject } from './support/here.ts';

const FOLDER = join(import.meta.dirname, '../../examples/judges');
const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8');

interface Golden {
  readonly id: string;
  readonly input: string;
  readonly expected_output?: string;
  readonly vars?: Readonly<Record<string, string>>;
}

interface Config {
  readonly targets: { readonly golden: { readonly responses: Readonly<Record<string, string>> } };
}

const config = parse(textOf('assay.config.yaml')) as Config;
const { responses } = config.targets.golden;

const verdictsOf = (type: string) =>
  new Map(
    textOf(`${type}.labels.jsonl`)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly trial: string; readonly verdict: string })
      .map(({ trial, verdict }) => [trial.split('/')[2] ?? '', verdict === 'passed']),
  );

/** The golden answer that a judge is asked about: all of its texts are in the request. */
function askedAbout(tests: readonly Golden[], request: string): string {
  const holds = (text: string) =>
    request.includes(text) || request.includes(JSON.stringify(text).slice(1, -1));
  const found = tests.filter(({ id, input, expected_output: facts, vars = {} }) =>
    [input, responses[id] ?? '', facts ?? '', ...Object.values(vars)].every(holds),
  );
  // An answer can be part of another one.
  const longest = found.toSorted(
    (a, b) => (responses[b.id] ?? '').length - (responses[a.id] ?? '').length,
  )[0];
  if (longest === undefined) throw new Error(`no golden answer is in ${request}`);
  return longest.id;
}

async function calibratedWith(type: string, judge: (isRight: boolean) => boolean) {
  const verdicts = verdictsOf(type);
  const { tests } = parse(textOf(`${type}.eval.yaml`)) as { readonly tests: readonly Golden[] };
  const isAboutStatements = type.startsWith('context_');
  const server = await modelServer(
    {},
    {
      replyTo: ({ messages }) => {
        const id = askedAbout(tests, messages.map(({ text }) => text).join('\n'));
        const says = judge(verdicts.get(id) === true);
        return {
          json: isAboutStatements
            ? { statements: [{ text: 'a statement', supported: says }], reasoning: 'as scripted' }
            : { score: says ? 1 : 0, reasoning: 'as scripted', evidence: [] },
        };
      },
    },
  );
  await using project = openProject({
    'assay.config.json': {
      ...config,
      judge: { model: 'local/judge' },
      models: { local: { baseUrl: `${server.url}/v1` } },
    },
    [`${type}.eval.yaml`]: textOf(`${type}.eval.yaml`),
    'labels.jsonl': textOf(`${type}.labels.jsonl`),
  });
  const ran = await project.assay('run');
  const calibrated = await project.assay('calibrate', 'labels.jsonl', '--json');
  const { graders } = JSON.parse(calibrated.stdout) as {
    readonly graders: readonly { readonly calibration: Calibration }[];
  };
  const [only] = graders;
  return { ran, calibrated, count: tests.length, calibration: only?.calibration };
}

const TYPES = Object.values(namedJudges).map(({ type }) => type);

describe.each(TYPES)('the golden answers of %s', (type) => {
  test('are half right, and each has a label', () => {
    const { tests } = parse(textOf(`${type}.eval.yaml`)) as { readonly tests: readonly Golden[] };
    const verdicts = verdictsOf(type);
    expect([...verdicts.keys()]).toEqual(tests.map(({ id }) => id));
    expect([...verdicts.values()].filter(Boolean)).toHaveLength(tests.length / 2);
  });

  test('show a judge that is right, and one that passes everything', async () => {
    const right = await calibratedWith(type, (isRight) => isRight);
    expect(right.ran.code).toBe(1);
    expect({ stderr: right.calibrated.stderr, ...right.calibration }).toMatchObject({
      stderr: '',
      labels: right.count,
      falsePasses: 0,
      falseFails: 0,
    });
    const lenient = await calibratedWith(type, () => true);
    expect(lenient.calibration).toMatchObject({ trueFails: 0, falseFails: 0 });
    expect(lenient.calibration?.falsePasses).toBeGreaterThan(0);
  });
});
