const CONFIG = `# The agents that can be tested. Types: assay list targets
targets:
  greeter:
    type: cli
    command: [node, ./agent.mjs]
`;

const EVAL = `# yaml-language-server: $schema=../.assay/eval.schema.json
# (assay schema > .assay/eval.schema.json gives your editor completion and checks)
name: greeter
tests:
  - id: greets-by-name
    input: My name is Ada. Say hello.
    assert:
      - type: contains
        value: Ada
        required: true
  - id: answers-in-one-line
    input: My name is Grace. Say hello.
    assert:
      - type: regex
        value: ^[^\\n]+$
      - type: latency
        threshold: 5000
`;

const AGENT = `// A stand-in for your agent: reads the prompt from stdin, answers on stdout.
let prompt = '';
for await (const chunk of process.stdin) prompt += chunk;
const name = /my name is (\\w+)/i.exec(prompt)?.[1] ?? 'stranger';
console.log(\`Hello, \${name}!\`);
`;

/** What \`assay init\` writes, by path. */
export const STARTER_FILES: ReadonlyMap<string, string> = new Map([
  ['assay.config.yaml', CONFIG],
  ['evals/greeter.eval.yaml', EVAL],
  ['agent.mjs', AGENT],
]);
