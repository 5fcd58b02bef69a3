import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { folderOfTest } from '../../../test/support/test-folders.ts';
import { formatProblem } from '../../core/problem.ts';
import { loadCaseFiles } from './load.ts';

/** The problems of a file with these lines, without the file name. */
async function toldOf(lines: readonly string[], name = 'a.yaml'): Promise<readonly string[]> {
  const folder = folderOfTest('assay-rules-');
  const file = join(folder, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  const { problems } = await loadCaseFiles({ files: [file], display: () => name, names: 'any' });
  return problems.map((problem) => formatProblem(problem).slice(name.length + 1));
}

test.each<[string, readonly string[]]>([
  [
    'nam: x',
    ['1:1  missing-key  `name` is missing', '1:1  unknown-key  unknown key `nam`  (did you mean `name`?)'],
  ],
  ['name:', ['1:6  wrong-type  name: expected a text, got nothing']],
  ['name: 5', ['1:7  wrong-type  name: expected a text, got 5  (put it in quotes)']],
  ['name: " "', ['1:7  invalid-value  name: must not be blank']],
  [`name: ${'a'.repeat(256)}`, ['1:7  invalid-value  name: must have at most 255 characters']],
  ['name: "x\\0"', ['1:7  invalid-value  name: contains the character U+0000, which cannot be stored']],
  ['max_turn: 3', ['2:1  unknown-key  unknown key `max_turn`  (did you mean `max_turns`?)']],
  [
    'agent_system_prompt: x',
    [
      '2:1  unknown-key  unknown key `agent_system_prompt`  (remove the key: each run records the prompt of its agent)',
    ],
  ],
  [
    'tests: []',
    [
      '2:1  unknown-key  unknown key `tests`  (this is an eval file, not a stored test case: run it with `assay run FILE`)',
    ],
  ],
  [
    'agent_tools: []',
    [
      '2:1  unknown-key  unknown key `agent_tools`  (remove the key: each run records the tools of its agent)',
    ],
  ],
  ['agent_id: x', ['2:1  unknown-key  unknown key `agent_id`  (agents are chosen when a run starts)']],
  ['persona_context: {}', ['2:1  unknown-key  unknown key `persona_context`  (did you mean `persona`?)']],
  ...['mocks', 'tool_mocks'].map((key): [string, string[]] => [
    `${key}: []`,
    [
      `2:1  unknown-key  unknown key \`${key}\`  (put the mocks of stored cases into the list \`tool_mocks\` next to \`test_cases\`, each with its \`test_case\`)`,
    ],
  ]),
  ['first_message: hi', ['2:1  unknown-key  unknown key `first_message`  (did you mean `initial_message`?)']],
  [
    'difficulty: Hard',
    ['2:13  invalid-value  difficulty: "Hard" is not one of: normal, hard  (did you mean `hard`?)'],
  ],
  ['difficulty:', ['2:12  invalid-value  difficulty: null is not one of: normal, hard']],
  ['status: done', ['2:9  invalid-value  status: "done" is not one of: draft, active, archived']],
  ['status: null', ['2:9  invalid-value  status: null is not one of: draft, active, archived']],
  ['tags: null', ['2:7  wrong-type  tags: expected a list, got nothing']],
  [
    'tags: a, b',
    ['2:7  wrong-type  tags: expected a list, got "a, b"  (for a list with one entry, write ["a, b"])'],
  ],
  ['tags: [a, " "]', ['2:11  invalid-value  tags[1]: must not be blank']],
  ['tags: [a, 5]', ['2:11  wrong-type  tags[1]: expected a text, got 5  (put it in quotes)']],
  ['max_turns: 0', ['2:12  invalid-value  max_turns: must be at least 1']],
  ['max_turns: -1', ['2:12  invalid-value  max_turns: must be at least 1']],
  ['max_turns: 5.5', ['2:12  wrong-type  max_turns: expected a whole number, got 5.5']],
  [
    'max_turns: "5"',
    ['2:12  wrong-type  max_turns: expected a number, got "5"  (write it without quotes: 5)'],
  ],
  ['max_turns: true', ['2:12  wrong-type  max_turns: expected a number, got true']],
  ['max_turns: 2147483648', ['2:12  invalid-value  max_turns: must be at most 2147483647']],
  ['initial_message: 5', ['2:18  wrong-type  initial_message: expected a text, got 5  (put it in quotes)']],
  ['user_context: [a]', ['2:15  wrong-type  user_context: expected a mapping, got a list']],
  [
    'user_context: { a: ["\\0"] }',
    ['2:21  invalid-value  user_context.a[0]: contains the character U+0000, which cannot be stored'],
  ],
  ['user_context: { a: .inf }', ['2:20  invalid-value  user_context.a: is not a finite number']],
  ['expected_outcomes: all', ['2:20  wrong-type  expected_outcomes: expected a mapping, got "all"']],
  [
    'persona: { wrong: 1 }',
    [
      '2:10  missing-key  `persona.type` is missing',
      '2:10  missing-key  `persona.description` is missing',
      '2:10  missing-key  `persona.instructions` is missing',
      '2:12  unknown-key  unknown key `wrong` in persona  (known: type, description, instructions)',
    ],
  ],
  ['persona: somebody', ['2:10  wrong-type  persona: expected a mapping, got "somebody"']],
  [
    'expected_tool_calls: lookup',
    [
      '2:22  wrong-type  expected_tool_calls: expected a list, got "lookup"  (for a list with one entry, write ["lookup"])',
    ],
  ],
  [
    'expected_tool_calls: [{ tool: " " }]',
    ['2:31  invalid-value  expected_tool_calls[0].tool: must not be blank'],
  ],
  [
    'expected_tool_calls: [{ tool: a, expected_params: [1] }]',
    ['2:51  wrong-type  expected_tool_calls[0].expected_params: expected a mapping, got a list'],
  ],
  [
    'expected_tool_calls: [{ tool: a, mock_responses: 5 }]',
    ['2:50  wrong-type  expected_tool_calls[0].mock_responses: expected a list, got 5'],
  ],
  [
    'evaluation_criteria_override: []',
    ['2:31  wrong-type  evaluation_criteria_override: expected a text, got a list'],
  ],
  [
    'schema_version: 2.0.0',
    ['2:17  invalid-value  schema_version: the only supported schema version is "1.0.0"'],
  ],
  ['id: one', ['2:5  invalid-value  id: must be a UUID']],
])('%s', async (line, expected) => {
  const own = line.startsWith('nam') ? [line] : ['name: x', line];
  expect(await toldOf(own)).toEqual(expected);
});
