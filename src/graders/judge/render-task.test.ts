import { describe, expect, test } from 'vitest';

import { subjectOf } from '../subject.fixture.ts';
import { renderTask } from './render-task.ts';

const subject = subjectOf({
  answer: 'Paris',
  reference: { city: 'Paris' },
  entries: [
    { type: 'message', role: 'user', parts: [{ text: 'capital?' }] },
    { type: 'message', role: 'assistant', phase: 'thinking', parts: [{ text: 'hm' }] },
    { type: 'tool-call', callId: '1', name: 'lookup', input: { of: 'France' }, turn: 1 },
    { type: 'tool-result', callId: '1', output: 'x', failed: true },
    { type: 'message', role: 'assistant', parts: [{ text: 'Paris' }], turn: 2 },
  ],
  case: { criteria: 'is right', vars: { tone: 'calm' }, sidecar: { language: 'en' } },
});

describe('a template', () => {
  test('holds the words of its author and points to everything else', async () => {
    const template = '{{criteria}}, {{ vars.tone }}, {{ config.a }}: {{ answer }} in {{ sidecar.language }}';
    const { task, material } = await renderTask(template, { subject, config: { a: 1 } });
    expect(task).toBe('is right, calm, 1: [answer, in the material] in [sidecar.language, in the material]');
    expect(material).toEqual([
      { name: 'answer', lines: [{ label: 'answer', value: 'Paris' }] },
      { name: 'sidecar.language', lines: [{ label: 'sidecar.language', value: 'en' }] },
    ]);
  });

  test('is rendered once: values of vars are not templates', async () => {
    const templated = subjectOf({
      case: { criteria: 'C', vars: { text: '{{ criteria }} {{ user.name }}', no: null } },
    });
    const { task } = await renderTask('{{ vars.text }}, {{ vars.no }}', { subject: templated });
    expect(task).toBe('{{ criteria }} {{ user.name }}, null');
  });

  test('that names nothing is about question, reference and answer', async () => {
    const { material } = await renderTask('Is it good?', { subject });
    expect(material.flatMap(({ lines }) => lines)).toEqual([
      { label: 'question', value: 'capital?' },
      { label: 'reference', value: { city: 'Paris' } },
      { label: 'answer', value: 'Paris' },
    ]);
  });

  test('without a placeholder for the answer still shows the answer', async () => {
    const { material } = await renderTask('Fits {{ question }}?', { subject });
    expect(material.map(({ name }) => name)).toEqual(['question', 'answer']);
  });

  test('shows a transcript line by line, without thoughts', async () => {
    const { material } = await renderTask('{{ transcript }}', { subject });
    expect(material).toEqual([
      {
        name: 'transcript',
        lines: [
          { label: '[1] user', value: 'capital?' },
          { label: '[1] tool call', value: { tool: 'lookup', input: { of: 'France' } } },
          { label: '[1] tool error', value: 'x' },
          { label: '[2] agent', value: 'Paris' },
        ],
      },
    ]);
  });

  test.each([
    ['{{ changes }}', '{{ changes }}'],
    ['{{ metadata.repo }}', '{{ metadata.repo }}'],
    ['{{ vars.none }}', '{{ vars.none }}'],
    ['{{ config.none }}', '{{ config.none }}'],
  ])('that asks for %s of a test without it is an error', async (template, name) => {
    await expect(renderTask(template, { subject })).rejects.toThrow(
      `the prompt uses ${name}, which the test "case" does not have`,
    );
  });
});
