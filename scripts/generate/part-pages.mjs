import { keyTable } from './key-table.mjs';
import { title } from './program.mjs';

const COMMON_GRADER = ['type', 'name', 'weight', 'required', 'negate', 'threshold'];

/** Every grader with its keys; the keys that all share come first. */
export function gradersPage(schema, parts) {
  const entries = schema.definitions.evaluator.anyOf;
  const [any] = entries;
  const common = { properties: pick(any.properties, COMMON_GRADER.slice(1)) };
  return [
    title('Graders', 'from the graders'),
    'The values of `type` in `assert` and `evaluators`. [Writing evals](../guide/writing-evals.md) shows how they are used.\n',
    '## Keys of every grader\n',
    keyTable(common),
    ...parts.flatMap((part) => [
      `## \`${part.type}\`\n`,
      about(part),
      ...entries.filter(({ title: type }) => type === part.type).map((entry) => keyTable(own(entry, common))),
    ]),
  ].join('\n');
}

/** Every target with its keys; the keys that all share come first. */
export function targetsPage(schema, parts) {
  const forms = schema.definitions.target.anyOf.flatMap((form) => form.anyOf ?? form.oneOf ?? [form]);
  const shared = Object.keys(forms[0].properties).filter(
    (key) =>
      key !== 'type' && forms.every(({ properties }) => same(properties[key], forms[0].properties[key])),
  );
  const common = { properties: pick(forms[0].properties, shared) };
  return [
    title('Targets', 'from the targets'),
    'The values of `type` of a target in the config. [Targets](../guide/targets.md) shows how they are used.\n',
    '## Keys of every target\n',
    keyTable(common),
    ...parts.flatMap((part) => [
      `## \`${part.type}\`\n`,
      about(part),
      ...forms
        .filter(({ properties }) => properties.type.const === part.type)
        .map((form) => keyTable(own(form, common))),
    ]),
  ].join('\n');
}

function about({ summary, comesWith }) {
  const sentence = `${summary[0].toUpperCase()}${summary.slice(1).replace(/\.$/, '')}.`;
  if (comesWith === undefined) return `${sentence}\n`;
  return `${sentence} Not available yet: its keys are checked, and a trial that needs it is errored; it comes with ${comesWith}.\n`;
}

/** Without the keys that all share; a key that this part defines anew stays. */
function own(form, common) {
  const properties = Object.entries(form.properties).filter(
    ([key, value]) => key !== 'type' && !same(value, common.properties[key]),
  );
  return { ...form, properties: Object.fromEntries(properties) };
}

function pick(properties, keys) {
  return Object.fromEntries(keys.map((key) => [key, properties[key]]));
}

function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
