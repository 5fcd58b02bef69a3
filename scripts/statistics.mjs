// Prints the measured tables of docs/reference/statistics.md: how often unchanged runs are called changed, how often a
// planted change is found, and what the exact interval covers. Seeded: the same tables every time.
//   node scripts/statistics.mjs [pairs of runs a design, default 2000]
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from './lib/bundle.mjs';
import { cache, inRoot } from './lib/paths.mjs';

const pairs = Number(process.argv[2] ?? 2000);
const outfile = join(cache, `simulation-${process.pid}.mjs`);
mkdirSync(cache, { recursive: true });
process.on('exit', () => rmSync(outfile, { force: true }));
await bundle(inRoot('src/analysis/simulation.fixture.ts'), outfile);
const {
  anyOfSeveral,
  calledEquivalent,
  designs,
  equivalenceDesigns,
  failedAgain,
  falseAlarms,
  falseAlarmsBySigns,
  found,
  leastCoverage,
} = await import(pathToFileURL(outfile).href);

const percent = (share) => (Number.isNaN(share) ? '-' : `${(share * 100).toFixed(1)} %`);
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

console.log(`${pairs} pairs of runs a design; alpha 0.05, margin 0.05\n`);
console.log(
  table(
    [
      'measure',
      'cases',
      'repetitions',
      'false alarms',
      'found: smallest change',
      'found: twice the smallest change',
    ],
    designs.map((design) => [
      design.measure,
      design.cases,
      design.repetitions.join(' and '),
      percent(falseAlarms(design, pairs)),
      percent(found(design, pairs / 4, 1).share),
      percent(found(design, pairs / 4, 2).share),
    ]),
  ),
);
const isUnequal = ({ repetitions: [base, candidate] }) => base !== candidate;
console.log('\nUnequal repetitions: false alarms, had only signs been flipped, and as they are tested\n');
console.log(
  table(
    ['measure', 'cases', 'repetitions', 'signs alone', 'trials mixed'],
    designs
      .filter(isUnequal)
      .map((design) => [
        design.measure,
        design.cases,
        design.repetitions.join(' and '),
        percent(falseAlarmsBySigns(design, pairs)),
        percent(falseAlarms(design, pairs)),
      ]),
  ),
);
console.log('\nSeveral unchanged targets: at least one called changed\n');
const scores = { measure: 'score', cases: 30, repetitions: [1, 1] };
console.log(
  table(
    ['targets', 'each alone', 'held together (Holm)'],
    [1, 2, 4, 8].map((targets) => {
      const { alone, together } = anyOfSeveral(scores, targets, pairs);
      return [targets, percent(alone), percent(together)];
    }),
  ),
);
console.log(
  '\nAn unchanged agent, only the cases that failed run again: called improved, were it compared\n',
);
console.log(
  table(
    ['measure', 'cases', 'called improved'],
    [20, 40, 100].map((cases) => {
      const design = { measure: 'pass or fail, mixed', cases, repetitions: [1, 1] };
      return [design.measure, cases, percent(failedAgain(design, pairs))];
    }),
  ),
);
console.log('\nCases that are called flaky, each passing with the same chance\n');
const repetitions = [2, 3, 5, 10];
console.log(
  table(
    ['chance to pass', ...repetitions.map((times) => `${times} repetitions`)],
    [0.99, 0.9, 0.5].map((chance) => [
      chance,
      ...repetitions.map((times) => percent(1 - chance ** times - (1 - chance) ** times)),
    ]),
  ),
);
console.log('\nCalled equivalent: without a change, and falsely, with a fall as large as the margin\n');
console.log(
  table(
    ['measure', 'cases', 'repetitions', 'no change', 'every case falls', 'a few cases fall'],
    equivalenceDesigns.map((design) => [
      design.measure,
      design.cases,
      design.repetitions.join(' and '),
      ...['none', 'every case', 'a few cases'].map((fall) => percent(calledEquivalent(design, pairs, fall))),
    ]),
  ),
);
console.log('\nLeast coverage of the 95 % interval over all rates of 0.001 .. 0.999\n');
console.log(
  table(
    ['trials', 'lowest coverage', 'at a rate of'],
    [3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30].map((trials) => {
      const { coverage, rate } = leastCoverage(trials);
      return [trials, percent(coverage), rate];
    }),
  ),
);
