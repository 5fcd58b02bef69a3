/** Paths of the JSON Schemas, relative to the starter's folder. */
export interface SchemaPlaces {
  readonly suite: string;
  readonly config: string;
}

/** The files that `assay init` writes, by path. */
export function starterFiles(schemas: SchemaPlaces): ReadonlyMap<string, string> {
  return new Map([
    ['assay.config.yaml', `# yaml-language-server: $schema=./${schemas.config}\n${CONFIG}`],
    ['evals/converter.eval.yaml', `# yaml-language-server: $schema=../${schemas.suite}\n${EVAL}`],
    ['agent.mjs', AGENT],
    ['.assay/.gitignore', 'runs/\ndata/\nstored/\nserver.json\n'],
  ]);
}

const CONFIG = `# The agents under test. This one is a program; \`assay list targets\` shows what else there is.
targets:
  converter:
    type: cli
    command: [node, agent.mjs]
`;

const EVAL = `# What the agent must do. \`assay list graders\` shows everything that can be expected.
name: converter
tests:
  - id: converts-degrees
    input: How much is 20 °C in Fahrenheit?
    assert:
      - type: numeric # the last number of the answer
        value: 68
        tolerance: 0.5

  - id: names-the-unit
    input: Please convert 26.2 miles to kilometres.
    assert:
      - type: regex
        value: 42\\.\\d* km
        required: true # a gate: without it the test fails, whatever its score
      - type: latency
        threshold: 5000 # milliseconds

  - id: admits-what-it-cannot-do
    input: How many bananas is 12 kg?
    assert:
      - type: contains
        value: cannot
`;

const AGENT = `// Stands in for your agent: it reads the question from stdin and answers on stdout.
const units = [
  { from: /(-?[\\d.]+) *°?C\\b/i, convert: (celsius) => \`\${round(celsius * 1.8 + 32)} °F\` },
  { from: /([\\d.]+) *miles?\\b/i, convert: (miles) => \`\${round(miles * 1.609344)} km\` },
];

let question = '';
for await (const chunk of process.stdin) question += chunk;

const unit = units.find(({ from }) => from.test(question));
if (unit === undefined) {
  console.log('I cannot convert that: I know degrees Celsius and miles.');
} else {
  const [asked, amount] = unit.from.exec(question);
  console.log(\`\${asked} is \${unit.convert(Number(amount))}.\`);
}

function round(value) {
  return Math.round(value * 10) / 10;
}
`;
