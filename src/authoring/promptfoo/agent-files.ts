/** The program of an agent that does what a provider did. */
export interface AgentFile {
  readonly text: string;
  /** Variables of the environment that it reads. */
  readonly passEnv: readonly string[];
  /** Variables of tests that it reads. */
  readonly vars: readonly string[];
}

/** Another module for a provider in JavaScript, with this source. */
export function scriptAgent(file: string, source: string, provider: object): AgentFile {
  const text = `// Made from the provider ${inComment(file)} of promptfoo. It gets each prompt.
import Provider from ${JSON.stringify(file)};

const provider = new Provider(${JSON.stringify(provider)});

export default async (input, { signal }) => {
  const prompt = promptOf(input);
  const { output, error } = await provider.callApi(prompt, { vars: input.vars ?? {}, prompt: { raw: prompt } }, { abortSignal: signal });
  if (error) throw new Error(String(error));
  return typeof output === 'string' ? output : JSON.stringify(output);
};
${PROMPT_OF}`;
  return { text, passEnv: [], vars: varsIn(source) };
}

export function pythonAgent(file: string, called: string, provider: object): AgentFile {
  const text = `# Made from the provider ${inComment(file)} of promptfoo. It gets each prompt, and no variables of tests.
import asyncio, importlib.util, inspect, json, os, sys

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), ${JSON.stringify(file)})
sys.path.insert(0, os.path.dirname(path))
spec = importlib.util.spec_from_file_location("provider", path)
provider = importlib.util.module_from_spec(spec)
spec.loader.exec_module(provider)

prompt = sys.stdin.read()
answer = provider.${called}(prompt, json.loads(${JSON.stringify(JSON.stringify(provider))}), {"vars": {}})
if inspect.isawaitable(answer):
    answer = asyncio.run(answer)
if answer.get("error"):
    sys.exit(str(answer["error"]))
output = answer["output"]
print(output if isinstance(output, str) else json.dumps(output))
`;
  return { text, passEnv: [], vars: [] };
}

/** A text on one line of a comment: JSON without the line ends that JSON allows. */
export function inComment(text: string): string {
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** The code of `promptOf`, with which each module begins its work. */
export const PROMPT_OF = `
/** A prompt of several messages is sent as JSON, as promptfoo sends it. */
function promptOf({ messages }) {
  if (messages.length === 1) return messages[0].content;
  return JSON.stringify(messages.map(({ role, content }) => ({ role, content })));
}
`;

/** The names of variables that the code of a provider reads. */
function varsIn(source: string): readonly string[] {
  const found = source.matchAll(
    /\bvars\s*(?:\?\.|\.)\s*([A-Za-z_]\w*)|\bvars\s*(?:\?\.)?\[\s*['"]([^'"]+)['"]\s*\]/g,
  );
  return [...new Set([...found].map(([, name, quoted]) => name ?? quoted ?? ''))];
}
