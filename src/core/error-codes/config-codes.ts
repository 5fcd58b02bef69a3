import type { ExplainedCode } from './explained-code.ts';

/** Problems of the config, of targets, models and gates. */
export const CONFIG_CODES = {
  'address-forbidden': {
    meaning: 'The server may not connect to the address of a stored agent.',
    whatToDo:
      'Use another address. To allow a private address, list it in the variable `ASSAY_AGENT_HOSTS` of the server. Link-local addresses are never allowed.',
    says: [
      'connections to the private address {address} are not allowed',
      'connections to the link-local address {address} are not allowed',
    ],
  },
  'agent-archived': {
    meaning: 'The agent of the store is archived, so no new run can use it.',
    whatToDo: 'Use another agent, or set `archived` of the agent to false.',
  },
  'agent-files': {
    meaning:
      'A path in `files` of a target is outside the private home folder of the agent. Or the agent has no private home, because of `inheritConfig: true`.',
    whatToDo: 'Write a path relative to that folder, such as `.config/agent.json`, or remove `files`.',
  },
  'agent-name': {
    meaning: 'The name of an agent in the store is blank, taken, or has a character that is not allowed.',
    whatToDo:
      'Choose another name. It must not begin or end with a space, or contain `#`, `@` or control characters.',
    says: ['name: is blank', 'name: begins or ends with a space', 'name: must not contain {character}'],
  },
  'agent-skills': {
    meaning: 'An entry in `skills` of a target cannot be given to the agent.',
    whatToDo: 'Name a folder with a `SKILL.md`, or a folder of such folders.',
  },
  'base-url-missing': {
    meaning: 'No base URL is configured for a model.',
    whatToDo: 'Set `models.PROVIDER.baseUrl` in the config.',
  },
  'companion-missing': {
    meaning: 'Some tools of the agent need a program that is not on PATH. Without it, they fail silently.',
    whatToDo: 'Install that program.',
  },
  'config-ambiguous': {
    meaning: 'One folder contains two configs.',
    whatToDo: 'Keep one, or name one with `--config`.',
  },
  'config-both-spellings': {
    meaning: 'The config has both spellings of a setting, such as `targets` and `runners`.',
    whatToDo: 'Keep one of the two.',
  },
  'config-different': {
    meaning: 'The eval files belong to different configs. A run has one config.',
    whatToDo: 'Run them separately, or name one config with `--config`.',
  },
  'config-load-failed': {
    meaning: 'The module of the config throws while it is loaded.',
    whatToDo: 'Correct the module at the place shown.',
    says: ['{the message of the error that the module threw}'],
  },
  'config-no-default-export': {
    meaning: 'The module of the config has no default export.',
    whatToDo: 'Write `export default defineConfig({ ... })`.',
  },
  'config-not-found': {
    meaning: 'The file that `--config` names does not exist.',
    whatToDo: 'Correct the path.',
  },
  'config-syntax': {
    meaning: 'The config is not valid YAML, JSON or TypeScript.',
    whatToDo: 'Correct the text at the place shown.',
  },
  'config-unreadable': {
    meaning: 'The system refused to read the config.',
    whatToDo: 'Check the permissions of the file.',
    says: ['{the message of the system}'],
  },
  'credentials-missing': {
    meaning: 'The environment variable with the API key of a provider is not set.',
    whatToDo: 'Set the variable, or name another one with `apiKeyEnv`.',
    says: ['no API key for {model}: {variables} is not set'],
  },
  'credentials-not-passed': {
    meaning: 'An API key is set in your environment, but the agent does not receive it.',
    whatToDo: 'Add the variable to `passEnv` of the target.',
  },
  'duplicate-agent': {
    meaning: 'A request to start a run lists the same version of an agent twice.',
    whatToDo: 'List each version once. To run each case several times, set `repetitions`.',
  },
  'duplicate-metric': { meaning: 'A metric is listed twice.', whatToDo: 'Keep one entry for each metric.' },
  'endless-talk': {
    meaning: 'Cases with a simulated user have no `max_turns`, so a conversation can last until the timeout.',
    whatToDo: 'Set `max_turns`.',
  },
  'environment-syntax': {
    meaning: 'A reference to an environment variable is malformed.',
    whatToDo: 'Write `${{ NAME }}`.',
  },
  'environment-unset': {
    meaning: 'An environment variable that the config names is not set.',
    whatToDo: 'Set the variable, or remove the reference.',
  },
  'gate-impossible': {
    meaning: 'A gate can never pass with this number of trials.',
    whatToDo: 'Raise `--repeat`, add cases, or choose another limit.',
  },
  'gate-unavailable': {
    meaning: 'A gate needs something that is missing, such as a calibrated judge.',
    whatToDo:
      'Calibrate the judge with enough labels (`assay calibrate LABELS --run RUN`), or remove the gate.',
    says: [
      '{expectation} is not calibrated',
      '{expectation} is not calibrated well enough: {reason}',
      {
        text: 'no grader of these cases asks a judge',
        hint: 'remove the gate, or add a grader that asks a judge',
      },
    ],
  },
  'gate-unfailing': { meaning: 'A gate can never fail.', whatToDo: 'Choose a stricter limit.' },
  'gate-unreadable': {
    meaning: 'A gate is not a valid expression.',
    whatToDo: 'Write the gate as `MEASURE >= NUMBER`, such as `pass_rate >= 0.9`.',
  },
  'images-refused': {
    meaning: 'A test shows an image to a target that cannot take images.',
    whatToDo: 'Choose another target, or remove the image.',
  },
  'isolation-variable': {
    meaning: '`env` sets a variable that assay needs to isolate the agent.',
    whatToDo: 'Remove the variable from `env`. Use `files` or `inheritConfig: true` instead.',
  },
  'judge-not-a-model': {
    meaning: '`judge` has a setting that only models support, but its target is not a model.',
    whatToDo: 'Remove `temperature` and `maxOutputTokens`, or name a model.',
  },
  'literal-secret': {
    meaning: 'A stored agent contains a secret.',
    whatToDo: 'Put the secret into an environment variable, and write `${{ NAME }}`.',
  },
  'metric-weights': {
    meaning: 'The weights of the metrics are missing, negative, or all 0.',
    whatToDo: 'Give each metric a weight of 0 or more, and at least one a weight above 0.',
  },
  'misplaced-key': {
    meaning: 'The judge of one target has a key that applies to the whole run.',
    whatToDo: 'Move the key to `judge` of the config.',
  },
  'mocks-unreachable': {
    meaning: 'The target cannot call mocked tools.',
    whatToDo: 'Choose a target that supports tools, or remove the mocks.',
  },
  'no-baseline': {
    meaning:
      'The request asks for a comparison with the baseline. But a target has no baseline, or the baselines of the targets are different runs.',
    whatToDo: 'Set a baseline, or name the run to compare with.',
  },
  'no-default-target': {
    meaning: 'The suite names no target, and the config has several.',
    whatToDo: 'Set `target` in the config or the suite, or use `--target`.',
  },
  'no-judge': {
    meaning: 'A grader needs a model, and no judge is configured.',
    whatToDo: 'Add `judge` to the config, the target or the grader, or use `--judge`.',
  },
  'no-target': {
    meaning: 'The config has no target.',
    whatToDo: 'Add one under `targets`, such as `mine: { type: mock, response: hello }`.',
  },
  'no-user': {
    meaning: 'A case needs a simulated user, and no model is configured for it.',
    whatToDo: 'Add `user: { model: provider/name }` to the config.',
  },
  'not-in-request': {
    meaning: 'A request to the server contains something that is only allowed in the config of the server.',
    whatToDo: 'Write it in the config of the server.',
  },
  'not-in-store': {
    meaning: 'A stored agent contains something that is only allowed in a config.',
    whatToDo: 'Write the target in the config of the server.',
  },
  'one-turn-only': {
    meaning: 'The target takes one message per conversation, and the case may have more.',
    whatToDo: 'Set `max_turns` to 1, or choose another target.',
  },
  'package-missing': {
    meaning: 'The package of a model provider is not installed.',
    whatToDo: 'Run the install command that the message shows.',
  },
  'program-missing': {
    meaning: 'A program that the config names, or that a grader needs, is not on PATH.',
    whatToDo: 'Install the program, or correct the command.',
    says: [
      '{place}: {program} was not found on PATH',
      '{place}: {program} is not an executable file',
      'test "{id}": grader {type} needs {program}, which was not found on PATH',
    ],
  },
  'prompt-file': {
    meaning: 'The prompt of a target is missing, empty, too large or not text.',
    whatToDo: 'Correct the path or the content of the prompt.',
    says: [
      '{path}: prompt file not found: {file}',
      '{path}: prompt file {file} has {size} bytes; the limit is {most bytes}',
      '{path}: prompt file {file} is not text',
      '{path}: prompt file {file} is empty',
      '{path}: prompt file {file}: `{{ {name}` is not followed by ` }}`',
      '{path}: prompt file {file}: invalid filter `{filter}` after `{{ {name}`',
    ],
  },
  'prompt-unusable': {
    meaning: 'The input cannot be given to this target.',
    whatToDo: 'Change the input, or choose another target.',
  },
  'provider-unknown': {
    meaning: 'The provider in `provider/model` does not exist.',
    whatToDo: 'Correct the name, or add the provider to `models` of the config.',
  },
  'rerun-of-failures': {
    meaning: 'A setting or flag would run failed cases until they pass. assay does not do that.',
    whatToDo: 'Use `--repeat` to measure how often a case passes.',
  },
  'script-invalid': {
    meaning: 'The script of the mock server has a wrong value.',
    whatToDo: '`assay mock-server --help` shows an example.',
    says: ['{key}: {what is wrong with its value}'],
  },
  'script-unreadable': {
    meaning: 'The script of the mock server cannot be read.',
    whatToDo: 'Write it as YAML or JSON.',
    says: ['{the message of the system or of the YAML parser}'],
  },
  'short-secret': {
    meaning:
      'The agent masks secrets in its output. One secret is so short that the agent would also mask ordinary text.',
    whatToDo: 'Use a longer value, or do not pass the variable.',
  },
  'skills-in-own-directory': {
    meaning: 'The target has `skills`, but assay never copies skills into your own directory.',
    whatToDo: 'Use an isolated workspace, or remove `skills` from the target.',
  },
  'trials-share-directory': {
    meaning: 'Several trials would work in the same directory at once.',
    whatToDo: 'Use an isolated workspace, or `run.schedule: serial`.',
  },
  'unknown-agent-version': {
    meaning: 'The agent of the store has no such version.',
    whatToDo: 'Use a version that exists, or leave out the version to use the newest one.',
  },
  'unknown-cost': {
    meaning: 'The cost of a model or target has no upper bound, so `--max-cost` cannot be enforced.',
    whatToDo: 'Configure `price`, or use `--allow-unknown-cost`.',
  },
  'unknown-metric': {
    meaning: 'A metric does not exist.',
    whatToDo: 'Correct the name, or define the metric in the config.',
  },
  'unknown-target': {
    meaning: 'Neither the config nor the store has a target of this name.',
    whatToDo: 'Correct the name, or add the target to the config.',
  },
  'unknown-target-type': {
    meaning: 'The `type` of a target does not exist.',
    whatToDo: 'Correct the type. `assay list targets` shows all types.',
  },
  'user-not-a-model': {
    meaning: '`user` names a target that is not a model.',
    whatToDo: 'Name a target of type `model`, or write `user: { model: provider/name }`.',
  },
  'variable-not-allowed': {
    meaning: 'An agent in the store refers to an environment variable that it may not use.',
    whatToDo: 'Use another variable, or add it to `ASSAY_AGENT_ENV` of the server.',
  },
  'variant-name': {
    meaning: 'Two values of a key in `variants` would have the same name, or a value cannot be a name.',
    whatToDo: 'Write a mapping from short names to values.',
  },
  'variants-row': {
    meaning:
      'A row of `include` or `exclude` has an unknown key or value, or the rows exclude every variant.',
    whatToDo: 'Use the keys of `over` and the names of their values.',
  },
  'variants-too-many': {
    meaning: 'The combinations in `variants` exceed the limit.',
    whatToDo: 'Remove values.',
  },
  'world-ambiguous': {
    meaning: 'Two world modules have a tool of the same name.',
    whatToDo: 'Rename one of the two tools.',
  },
  'world-invalid': {
    meaning: 'The default export of a world module is not a world.',
    whatToDo: 'Write `export default defineWorld({ state, tools })`.',
  },
  'world-load-failed': {
    meaning: 'A world module does not parse, or throws while it is loaded.',
    whatToDo: 'Correct the module at the place shown.',
    says: ['{the message of the error that the module threw}'],
  },
} as const satisfies Readonly<Record<string, ExplainedCode>>;
