import { expect, test } from 'vitest';

import { assert } from './assert.ts';
import { messageFrom, reportWith } from './report.fixture.ts';

const report = reportWith(
  [
    { type: 'toolCall', tool: 'Read', args: { path: 'a' } },
    { type: 'fileRead', path: '/w/a.md' },
    { type: 'toolCall', tool: 'Write' },
    { type: 'toolCall', tool: 'Read', args: { path: 'b' } },
  ],
  {
    detectedSkills: [
      { skill: 'pdf', confidence: 'strong', evidence: [] },
      { skill: 'docx', confidence: 'weak', evidence: [] },
    ],
    finalOutput: 'done',
  },
);
const { toolCalls, skills, fileReads, output } = assert;
const isB = (args: unknown) => (args as { path?: string } | undefined)?.path === 'b';

test.each<[string, () => void, string | undefined]>([
  ['toolCalls.has', () => toolCalls.has(report, { tool: 'Read', where: isB }), undefined],
  [
    'toolCalls.has compares names whole',
    () => toolCalls.has(report, { tool: 'Rea' }),
    'Expected a tool call matching { tool: "Rea" }. Observed tool calls: Read {"path":"a"} | Write | Read {"path":"b"}',
  ],
  ['toolCalls.count of all', () => toolCalls.count(report, {}, 3), undefined],
  [
    'toolCalls.before',
    () => toolCalls.before(report, { tool: 'Write' }, { tool: 'Read' }),
    'Expected a tool call matching { tool: "Write" } before one matching { tool: "Read" }. Found first match at index 1 and second match at index 0. Observed tool calls: Read {"path":"a"} | Write | Read {"path":"b"}',
  ],
  ['toolCalls.sequence', () => toolCalls.sequence(report, [{ tool: 'Write' }, { where: isB }]), undefined],
  [
    'toolCalls.sequence, out of order',
    () => toolCalls.sequence(report, [{ where: isB }, { tool: 'Write' }]),
    'Expected tool calls matching { where: … }, { tool: "Write" } in this order. Missing: { tool: "Write" } Observed tool calls: Read {"path":"a"} | Write | Read {"path":"b"}',
  ],
  [
    'toolCalls.sequence of nothing',
    () => toolCalls.sequence(report, []),
    'TypeError: the list of matchers is empty',
  ],
  ['toolCalls.only', () => toolCalls.only(report, [{ tool: /^(Read|Write)$/ }]), undefined],
  [
    'toolCalls with a text',
    () => toolCalls.has(report, 'Read' as never),
    "TypeError: expected a tool call such as { tool: 'name' }, got 'Read'",
  ],
  ['fileReads.includes', () => fileReads.includes(report, 'a.md'), undefined],
  [
    'fileReads.notIncludes',
    () => fileReads.notIncludes(report, /\.md$/),
    'Expected no file read matching /\\.md$/. Unexpected: /w/a.md Observed file reads: /w/a.md',
  ],
  [
    'fileReads without events',
    () => fileReads.first(reportWith([], { files: { observedReads: ['/x'], observedSkillReads: [] } }), '/x'),
    undefined,
  ],
  ['skills.has', () => skills.has(report, 'docx'), undefined],
  [
    'skills.has, too weak',
    () => skills.has(report, 'docx', { minConfidence: 'medium' }),
    'Expected the skill "docx". Observed skills: pdf (strong) | docx (weak)',
  ],
  ['skills.notHas', () => skills.notHas(report, 'pd'), undefined],
  [
    'skills.includes',
    () => skills.includes(report, ['pdf', 's']),
    'Expected the skills "pdf", "s". Missing: "s" Observed skills: pdf (strong) | docx (weak)',
  ],
  ['skills.only', () => skills.only(report, ['pdf'], { minConfidence: 'strong' }), undefined],
  [
    'skills.only, another',
    () => skills.only(report, []),
    'Expected no skills. Unexpected: pdf (strong) | docx (weak) Observed skills: pdf (strong) | docx (weak)',
  ],
  ['skills.exactlyOne', () => skills.exactlyOne(report, 'pdf'), undefined],
  [
    'skills.count',
    () => skills.count(report, 'pdf', 2, { message: 'Twice' }),
    'Twice. Expected exactly 2 detections of the skill "pdf", found 1. Observed skills: pdf (strong) | docx (weak)',
  ],
  [
    'skills with an unknown confidence',
    () => skills.has(report, 'pdf', { minConfidence: 'sure' as never }),
    "TypeError: minConfidence: expected one of explicit, strong, medium, weak, got 'sure'",
  ],
  ['output.includes', () => output.includes(report, /^done$/), undefined],
  [
    'output.notEmpty',
    () => output.notEmpty(reportWith([])),
    'Expected final output. Observed final output: (empty)',
  ],
])('%s', (_, call, expected) => {
  expect(messageFrom(call)).toBe(expected);
});
