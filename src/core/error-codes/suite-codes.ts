import type { ExplainedCode } from './explained-code.ts';

/** Problems of eval files, code suites, stored test cases and labels. */
export const SUITE_CODES = {
  'alias-bomb': {
    meaning: 'The file becomes far too large when its YAML aliases are written out.',
    whatToDo: 'Use fewer aliases, or split the file.',
  },
  'ambiguous-name': {
    meaning: 'Several test cases have this name.',
    whatToDo: 'Give the cases different names, or name the case by its `id`.',
  },
  'binary-file': {
    meaning: 'The file contains NUL bytes, so it is not text.',
    whatToDo: 'Save it as UTF-8 text.',
  },
  'case-assert': {
    meaning: '`assert` of a case is not a function.',
    whatToDo: 'Export a function that takes the session report.',
  },
  'case-classify-failure': {
    meaning: '`classifyFailure` of a case is not a function.',
    whatToDo: 'Export a function that returns an id, or `{ id, label }`.',
  },
  'case-duplicate-id': {
    meaning: 'Two cases of a code suite have the same `id`.',
    whatToDo: 'Give each case its own `id`.',
  },
  'case-exists': {
    meaning: 'An imported test case is already in the store, or occurs twice in the files.',
    whatToDo:
      'Remove one of the two cases. If a case is already in the store, choose with `--on-conflict` what to do.',
  },
  'case-expected-fail': {
    meaning: '`expectedFail` of a case is not a boolean.',
    whatToDo: 'Write `true` or `false`.',
  },
  'case-id': {
    meaning: 'The `id` of a case is missing, not a text, or too long.',
    whatToDo: 'Give the case a short text as its `id`.',
  },
  'case-id-collision': {
    meaning: 'Two ids differ only in case or punctuation, so their files would have the same name.',
    whatToDo: 'Rename one of the two cases.',
  },
  'case-not-object': {
    meaning: 'An entry of a code suite is not a case.',
    whatToDo: 'Export objects with `id`, `prompt` and `assert`.',
  },
  'case-prompt': {
    meaning: 'The `prompt` of a case is missing or empty.',
    whatToDo: 'Write the message to the agent as a text.',
  },
  'case-tags': { meaning: '`tags` of a case is not a list of texts.', whatToDo: "Write `tags: ['smoke']`." },
  'case-timeout': {
    meaning: '`timeoutMs` of a case is not a valid time limit.',
    whatToDo: 'Write milliseconds as a whole number of at least 1.',
  },
  'case-unknown-key': {
    meaning: 'A case has a key that does not exist.',
    whatToDo: 'Correct the spelling, or remove the key.',
  },
  conflict: {
    meaning: 'Two keys, or two files in the same folder, contradict each other.',
    whatToDo: 'Keep one of the two.',
  },
  'csv-syntax': {
    meaning: 'The file is not valid CSV.',
    whatToDo: 'Put a value with commas, quotes or line breaks in quotes, and write quotes inside it twice.',
  },
  'dependency-cycle': {
    meaning: 'Tests wait for each other through `depends_on`.',
    whatToDo: 'Remove one of the dependencies.',
  },
  'duplicate-id': {
    meaning: 'Two tests of one suite have the same `id`.',
    whatToDo: 'Give each test its own `id`.',
  },
  'duplicate-key': {
    meaning: 'A key or a column occurs twice, so one of the two values would be ignored.',
    whatToDo: 'Remove one of the two.',
  },
  'duplicate-tool': { meaning: 'A tool is listed twice.', whatToDo: 'Keep one entry for each tool.' },
  'empty-file': {
    meaning: 'The file has no content, or only comments.',
    whatToDo: 'Add tests, or remove the file.',
  },
  'empty-selection': {
    meaning: 'The filters select no test.',
    whatToDo: 'Loosen the filters. If you used `--failed RUN`, name another run.',
  },
  'failed-cases-gone': {
    meaning: 'Cases that `--failed` should run again were removed or renamed.',
    whatToDo: 'If you renamed them, run them by their new names.',
  },
  'handlers-of-two-worlds': {
    meaning: 'The mocks of a test use tools from two world modules. A trial can only use one world module.',
    whatToDo: 'Put these tools into one module.',
  },
  'invalid-formula': {
    meaning: 'A formula of `derived_metrics` is invalid, or uses an unknown metric.',
    whatToDo: 'Correct the formula at the place shown.',
  },
  'invalid-label': {
    meaning: 'A line of the labels is not a valid label.',
    whatToDo: 'Write each line as `{"trial", "expectation", "verdict", "by"}`, with valid values.',
    says: ['the line is not valid JSON', '{key}: {what is wrong with its value}'],
  },
  'invalid-schema': {
    meaning: 'The parameters of a tool are not a valid JSON Schema.',
    whatToDo: 'Correct `parameters` of the tool at the place shown.',
  },
  'invalid-value': {
    meaning: 'The value of a key has the right type, but this value is not allowed.',
    whatToDo: 'Correct the value at the place shown.',
  },
  'json-syntax': {
    meaning: 'A line or a file is not valid JSON.',
    whatToDo: 'Correct the text at the place shown.',
  },
  'missing-file': {
    meaning: 'The file does not exist.',
    whatToDo: 'Correct the path. A path in a file is relative to that file.',
  },
  'missing-folder': {
    meaning: 'The folder does not exist.',
    whatToDo: 'Correct the path, or create the folder.',
  },
  'missing-key': { meaning: 'A required key is missing.', whatToDo: 'Add the key.' },
  'mock-shadowed': {
    meaning: 'A mock can never answer because an earlier mock takes all its calls.',
    whatToDo: 'Put this mock first, or limit the earlier mock with `times`.',
  },
  'more-problems': {
    meaning: 'The file has more problems than are printed.',
    whatToDo: 'Correct the printed problems, and run the command again.',
  },
  'no-labels': {
    meaning: 'None of the labels belongs to the run.',
    whatToDo: 'Name a file with labels for trials and expectations of that run.',
  },
  'no-match': {
    meaning: 'A path or pattern matches no file.',
    whatToDo: 'Correct the path or the pattern.',
  },
  'no-tests': { meaning: 'The suite has no tests.', whatToDo: 'Add entries to `tests`.' },
  'not-a-file': {
    meaning: 'The path leads to a folder, but a file is expected.',
    whatToDo: 'Name a file in that folder.',
  },
  'not-utf8': {
    meaning: 'The file is not encoded as UTF-8.',
    whatToDo: 'Save it as UTF-8. Spreadsheets call this format "CSV UTF-8".',
  },
  'not-yet': { meaning: 'The key is reserved for a later version.', whatToDo: 'Remove the key.' },
  'nothing-to-grade': {
    meaning: 'Every grader has weight 0 and none is required, so there would be no score.',
    whatToDo: 'Give one grader a weight, or set `required: true`.',
  },
  'nothing-to-say': {
    meaning: 'The script of the user is empty, and the case has no first message.',
    whatToDo: 'Add a message to the case or a line to the script.',
  },
  'server-set': {
    meaning: 'A request sets a field that only the server sets, such as `id`.',
    whatToDo: 'Leave the field out.',
  },
  'suite-empty': {
    meaning: 'The default export of a code suite has no cases.',
    whatToDo: 'Export at least one case.',
  },
  'suite-load-failed': {
    meaning: 'The module of a code suite does not parse, or throws while it is loaded.',
    whatToDo: 'Correct the module at the place shown.',
    says: ['{the message of the syntax error, or of the error that the module threw}'],
  },
  'suite-no-default-export': {
    meaning: 'The module of a code suite has no default export.',
    whatToDo: 'Export the list of cases as `default`.',
  },
  'suite-not-cases': {
    meaning: 'The default export of a code suite is not a list of cases.',
    whatToDo: 'Export an array of cases, or a mapping from names to cases.',
  },
  'suite-not-found': { meaning: 'The file of a code suite does not exist.', whatToDo: 'Correct the path.' },
  'template-too-long': {
    meaning: 'A filter in a template gives a longer text than allowed.',
    whatToDo: 'Shorten the value or the arguments of the filter.',
    says: ['the filter `{filter}` gives more than 1,000,000 characters'],
  },
  'text-after-comment': {
    meaning: 'An unquoted text contains ` #`. YAML reads everything after it as a comment.',
    whatToDo: 'Put the whole text in quotes.',
  },
  'too-deep': {
    meaning: 'Lists and mappings are nested too deeply.',
    whatToDo: 'Nest the value less deeply.',
  },
  'tool-undeclared': {
    meaning: 'A mock or a handler exists for a tool that the test does not declare.',
    whatToDo: 'Declare the tool, or correct its name.',
  },
  'unknown-case': {
    meaning: 'A reference names a test case that does not exist.',
    whatToDo:
      'Correct the id or name. To see all names, use `assay cases list` for the store, or `assay cases list PATH` for files.',
  },
  'unknown-format': {
    meaning: 'The file has an extension or a content that assay does not read.',
    whatToDo:
      'Use a file with one of the extensions that the message lists, or convert it as the message says.',
  },
  'unknown-grader': {
    meaning: 'The `type` of a grader does not exist.',
    whatToDo: 'Correct the type. `assay list graders` shows all types.',
  },
  'unknown-handler': {
    meaning: 'A mock names a handler that no registered world has.',
    whatToDo: 'Correct the name, or add the world module to `worlds` of the config.',
  },
  'unknown-id': {
    meaning: '`depends_on` names a test that the suite does not have.',
    whatToDo: 'Correct the id.',
  },
  'unknown-key': {
    meaning: 'A key or a column does not exist.',
    whatToDo: 'Correct the spelling, or remove the key.',
  },
  'unknown-name': {
    meaning: 'A template has a placeholder that does not exist.',
    whatToDo: 'Correct the name between the braces.',
  },
  'unknown-set': {
    meaning: 'The store has no set with this id or name.',
    whatToDo: 'Correct the id or name. `GET /case-sets` of the API lists all sets.',
  },
  'unknown-var': {
    meaning: 'A template names a variable that is not in `vars`.',
    whatToDo: 'Add the variable to `vars`, or correct the name.',
  },
  'unreadable-file': {
    meaning: 'The system refused to read a file.',
    whatToDo: 'Check the permissions of the file.',
  },
  'workspace-bootstrap': {
    meaning: '`bootstrap` of a code suite is not a valid command.',
    whatToDo: 'Write `{ command, args }`.',
  },
  'workspace-cwd': {
    meaning: 'The working directory of a code suite is not a path, or does not exist.',
    whatToDo: 'Correct the path, or create the folder.',
  },
  'workspace-key-not-allowed': {
    meaning: 'The mode of the workspace does not support this key.',
    whatToDo: 'Remove the key, or choose another `mode`.',
  },
  'workspace-mode': {
    meaning: 'The mode of the workspace is missing or does not exist.',
    whatToDo: "Write `mode: 'none'`, `mode: 'shared'` or `mode: 'isolated'`.",
  },
  'workspace-template': {
    meaning: 'The template folder is missing, is not a folder, or contains the folder for runs.',
    whatToDo: 'Name an existing folder that does not contain the folder for runs.',
  },
  'workspace-unknown-key': {
    meaning: 'The workspace has a key that does not exist.',
    whatToDo: 'Correct the spelling, or remove the key.',
  },
  'wrong-type': {
    meaning: 'A value has the wrong type, such as a text in place of a list.',
    whatToDo: 'Write a value of the type that is expected there.',
  },
  'yaml-syntax': {
    meaning: 'The file is not valid YAML.',
    whatToDo:
      'Correct the line shown. Indent with spaces, and put texts that contain `: ` or ` #` in quotes.',
  },
} as const satisfies Readonly<Record<string, ExplainedCode>>;
