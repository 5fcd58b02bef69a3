import type { ExplainedTrialCode } from './explained-code.ts';

/** Details in addition to the kind of an error, and reasons why a judge gave no grade. */
export const ERROR_DETAILS = {
  'answer-broken-off': {
    stage: 'target',
    meaning: 'The provider marked the answer as ended by an error, so the answer is incomplete.',
    whatToDo: 'Run the trial again. If the error persists, ask the provider about the request.',
  },
  'arguments-too-long': {
    stage: 'target',
    meaning: 'The command line is longer than the system allows.',
    whatToDo: 'Change the program so that it reads the prompt from stdin or `{PROMPT_FILE}`.',
    says: [
      'the program of target {target} could not be started: {program}: the arguments and the environment are longer than the system allows',
    ],
  },
  audit: {
    stage: 'user',
    meaning: 'The simulated user broke its rules, or the judge could not check its messages.',
    whatToDo: 'Read the messages of the user. Use `audit: report`, or turn `auditJudge` off.',
  },
  blank: {
    stage: 'user',
    meaning: 'The simulated user gave no message.',
    whatToDo: 'Try another model for `user`.',
    says: ['the simulated user gave no usable message in two attempts: the message is blank'],
  },
  'cassette-broken': {
    stage: 'target',
    meaning: 'A file of the cassette is damaged.',
    whatToDo: 'Restore the file, or remove it and record the answers again.',
  },
  'cassette-miss': {
    stage: 'target',
    meaning: 'The cassette has no recording of this request.',
    whatToDo: 'Record the request with `--mode record`, or use `--mode auto`.',
  },
  collection: {
    stage: 'target',
    meaning: 'The files that the agent left behind could not be collected.',
    whatToDo: 'Check the permissions and the size of these files.',
  },
  'connect-timeout': {
    stage: 'target',
    meaning: 'No connection could be opened in time.',
    whatToDo: 'Check the address and whether the server is running.',
  },
  'connection-lost': {
    stage: 'target',
    meaning: 'The connection to the agent was lost in the middle of its HTTP answer.',
    whatToDo: 'Check the log of the agent.',
  },
  'context-length': {
    stage: 'target',
    meaning: 'The request is longer than the context of the model.',
    whatToDo: 'Shorten the input, or choose a model with a larger context.',
    says: ['{model}: status {status}: {text of the provider}'],
  },
  'credentials-rejected': {
    stage: 'target',
    meaning: 'The API key was rejected.',
    whatToDo: 'Check the key and the account.',
    says: ['{model}: status 401: {text of the provider}'],
  },
  'cut-off': {
    stage: 'target',
    meaning: 'The connection to the provider of the model was lost in the middle of the answer.',
    whatToDo: 'Run the trial again.',
  },
  'cwd-unusable': {
    stage: 'target',
    meaning: 'The working directory of a program does not exist or cannot be entered.',
    whatToDo: 'Correct `cwd` of the target.',
    says: [
      'the program of target {target} could not be started: cannot run anything in {folder}: {code of the system}',
    ],
  },
  'file-unusable': {
    stage: 'workspace',
    meaning: 'A file of the case could not be given to the target.',
    whatToDo: 'Check the path, the size and the permissions of the file, and the type of an image.',
    says: ['{file}: cannot be read: {message of the system}', '{file}: unknown image type'],
  },
  'git-missing': {
    stage: 'workspace',
    meaning: '`git` is not on PATH. It is needed to see what the agent changed.',
    whatToDo: 'Install git.',
  },
  healthcheck: {
    stage: 'target',
    meaning: 'The health check of the target failed.',
    whatToDo: 'Start what the target needs, or correct `healthcheck`.',
  },
  'image-refused': {
    stage: 'target',
    meaning: 'The target cannot take images.',
    whatToDo: 'Choose another target, or remove the image.',
  },
  'interpreter-missing': {
    stage: 'target',
    meaning: 'The interpreter in the first line of a script does not exist.',
    whatToDo: 'Install it, or correct the first line of the script.',
    says: [
      'the program of target {target} could not be started: {program}: the interpreter in its first line was not found',
    ],
  },
  invalid: {
    stage: 'user',
    meaning: 'The simulated user gave an answer that cannot be used.',
    whatToDo: 'Try another model for `user`.',
    says: ['the simulated user gave no usable message in two attempts: {what is wrong with its answer}'],
  },
  'judge-invalid': {
    stage: 'grading',
    meaning: 'The judge gave no usable answer, even when it was asked again.',
    whatToDo: 'Try another judge, or simplify its prompt.',
  },
  'judge-not-available': {
    stage: 'grading',
    meaning: '`agent_judge` cannot ask a coding agent yet.',
    whatToDo: 'Remove `target` of the grader.',
  },
  'judge-overflow': {
    stage: 'grading',
    meaning: 'The judge would get more text from the trial than its limit allows.',
    whatToDo: 'Raise `max_input_chars`, or use `overflow: head_tail`.',
  },
  'judge-prompt': {
    stage: 'grading',
    meaning: 'The prompt of a judge has a placeholder that does not exist.',
    whatToDo: 'Correct the placeholder in the prompt.',
  },
  'judge-timeout': {
    stage: 'grading',
    meaning: 'The judge did not answer in time.',
    whatToDo: 'Raise its timeout, or try another judge.',
  },
  'judge-unavailable': {
    stage: 'grading',
    meaning: 'The judge could not be reached, or its answer cannot be read.',
    whatToDo: 'Check its address, its key and its limits.',
  },
  'judge-without-tools': {
    stage: 'grading',
    meaning: '`agent_judge` needs a judge that can call tools.',
    whatToDo: 'Use a model as the judge, or a target of type `model`.',
  },
  'malformed-answer': {
    stage: 'target',
    meaning: 'The answer of the provider could not be read.',
    whatToDo: 'Check the endpoint: it must use the protocol of that provider.',
  },
  'missing-binary': {
    stage: 'target',
    meaning: 'The program of the target does not exist.',
    whatToDo: 'Install it, put it on PATH, or correct `command`.',
    says: ['{program}: not found on PATH', '{program}: file not found: {path}'],
  },
  'model-name': {
    stage: 'target',
    meaning: 'A model is not written as `provider/name`.',
    whatToDo: 'Write it as `openai/gpt-4o`.',
  },
  network: {
    stage: 'target',
    meaning: 'The server could not be reached.',
    whatToDo: 'Check the address and the network.',
  },
  'no-answer': {
    stage: 'target',
    meaning: 'The server did not answer in time.',
    whatToDo: 'Raise the timeout, or check the server.',
  },
  'no-default-export': {
    stage: 'target',
    meaning: 'The module of the target has no default export.',
    whatToDo: 'Export a function as `default`.',
  },
  'no-workspace': {
    stage: 'grading',
    meaning: '`agent_judge` reads the workspace, and the trial has none.',
    whatToDo:
      'Add a `workspace` to the test. A run can only be graded again if its workspaces were kept, with `keep: always` in `workspace`.',
  },
  'output-limit': {
    stage: 'target',
    meaning: 'The target printed or sent more than allowed.',
    whatToDo: 'Raise `maxOutputBytes` or `maxBodyBytes` of the target.',
  },
  'package-broken': {
    stage: 'target',
    meaning: 'The package of a provider cannot be loaded.',
    whatToDo: 'Install it again.',
  },
  'package-unknown': {
    stage: 'target',
    meaning: 'The package of a provider does not provide the model.',
    whatToDo: 'Install the version that the message names.',
  },
  'port-in-use': {
    stage: 'target',
    meaning: 'The port of the server is already in use.',
    whatToDo: 'Choose another port, or end the other program.',
  },
  'private-home': {
    stage: 'target',
    meaning: 'The private home of the agent could not be created.',
    whatToDo: 'Free some space in the temporary folder, or set `TMPDIR`.',
  },
  'program-not-executable': {
    stage: 'target',
    meaning: 'The program of the target may not be executed.',
    whatToDo: 'Set its executable bit, or correct `command`.',
    says: ['the program of target {target} could not be started: {program}: not executable'],
  },
  'quota-exhausted': {
    stage: 'target',
    meaning: 'The account has no quota left.',
    whatToDo: 'Check the plan and billing of the account.',
    says: ['{model}: status 429: {text of the provider}'],
  },
  refused: {
    stage: 'target',
    meaning: 'The system refused to start the program.',
    whatToDo: 'Read the message of the system.',
    says: ['the program of target {target} could not be started: {message of the system}'],
  },
  'role-break': {
    stage: 'user',
    meaning: 'The simulated user spoke for the agent, or wrote the name of a speaker before its message.',
    whatToDo: 'Try another model for `user`.',
    says: [
      'the simulated user gave no usable message in two attempts: the message starts with the speaker label {label}',
    ],
  },
  'server-died': {
    stage: 'target',
    meaning: 'The server of the target exited during its start.',
    whatToDo: 'Run `server.command` by hand to see why.',
  },
  'server-not-ready': {
    stage: 'target',
    meaning: 'The server of the target was not ready in time.',
    whatToDo: 'The server must listen on `PORT`. Raise `server.timeoutMs` if needed.',
  },
  'staged-folder': {
    stage: 'workspace',
    meaning: 'A skill has the same name as a file or folder in the workspace.',
    whatToDo: 'Rename one of the two.',
  },
  'stream-error': {
    stage: 'target',
    meaning: 'The provider sent an error in the middle of the answer.',
    whatToDo: 'Run the trial again.',
  },
  'too-large': {
    stage: 'workspace',
    meaning: 'The agent changed a file listed in `restore`, and the file is too large to put back.',
    whatToDo: 'List fewer or smaller files in `restore`.',
    says: ['{file} was changed and cannot be restored: it is larger than {limit} MB'],
  },
  'tool-schema': {
    stage: 'world',
    meaning: 'The parameters of a tool are not a valid JSON Schema.',
    whatToDo: 'Correct `parameters` of the tool.',
  },
  unavailable: {
    stage: 'user',
    meaning: 'The model of the simulated user could not be reached, or its answer cannot be read.',
    whatToDo: 'Check its address, its key and its limits.',
  },
  unreadable: {
    stage: 'workspace',
    meaning: 'A file listed in `restore` cannot be read.',
    whatToDo: 'Check the permissions of the file.',
    says: ['{file} was changed and cannot be restored: it could not be read before the agent started'],
  },
  unsupported: {
    stage: 'target',
    meaning: 'The provider does not support part of the request.',
    whatToDo: 'Remove that setting, or choose another model.',
    says: ['{model}: {message of the package of the provider}'],
  },
  'workspace-changes': {
    stage: 'workspace',
    meaning: '`git` could not determine what the agent changed.',
    whatToDo: 'Check that git works and that the disk has free space.',
  },
  'workspace-root': {
    stage: 'workspace',
    meaning: 'The folder for workspaces cannot be used.',
    whatToDo: 'Set `TMPDIR` or `run.workspaceRoot` to a folder outside of any git repository.',
  },
  'workspace-work': {
    stage: 'workspace',
    meaning: 'Copying or comparing the files of the workspace took too long.',
    whatToDo: 'Make the workspace smaller.',
  },
} as const satisfies Readonly<Record<string, ExplainedTrialCode>>;
