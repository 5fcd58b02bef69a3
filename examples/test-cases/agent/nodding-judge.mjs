// A judge that finds everything as it should be. With it agent, cases and config can be tried without a model; what
// its numbers say of the agent is nothing.
import { readFileSync } from 'node:fs';

const prompt = readFileSync(process.argv[2] ?? '', 'utf8');
const task = prompt.slice(prompt.indexOf('# Task'), prompt.indexOf('===== material'));

const about = { justification: 'I agree with everything.', failure_code: null, turns: [] };
const metrics = [...task.matchAll(/^## (\w+).*\((.*)\)$/gm)].map(([, id, how]) => [
  id,
  { ...about, ...(how === 'passed or not' ? { passed: true } : { score: 5 }) },
]);
const outcomes = [...task.matchAll(/^- ("(?:[^"\\]|\\.)*"): /gm)].map(([, label]) => ({
  label: JSON.parse(label),
  reason: 'I agree with everything.',
  held: true,
  turns: [],
}));

console.log(
  JSON.stringify({
    ...(metrics.length === 0 ? {} : { metrics: Object.fromEntries(metrics) }),
    ...(outcomes.length === 0 ? {} : { outcomes }),
    injection: false,
  }),
);
