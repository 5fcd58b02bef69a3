import { expect, test } from 'vitest';

import type { Effect } from '../../core/transcript.ts';
import { toolEffects, type CalledTool } from './tool-effects.ts';

const effectsOf = toolEffects(
  {
    shell: { Bash: 'command' },
    read: { Read: 'file_path' },
    write: { Write: 'file_path' },
    skill: { Skill: 'skill' },
  },
  { workspace: '/w', home: '/home/me' },
);

test.each<[string, CalledTool, readonly Effect[]]>([
  ['a command', { name: 'Bash', input: { command: 'pnpm test' } }, [{ command: 'pnpm test' }]],
  [
    'a command that reads',
    { name: 'Bash', input: { command: 'cat a.md' }, directory: 'sub' },
    [{ command: 'cat a.md' }, { fileRead: '/w/sub/a.md' }],
  ],
  [
    'a command that changes its directory, quotes and pipes',
    {
      name: 'Bash',
      input: { command: "cd skills/a && cat 'my notes.md' SKILL.md | head -n 20 && cat ~/x < y > z $F" },
    },
    [
      { command: "cd skills/a && cat 'my notes.md' SKILL.md | head -n 20 && cat ~/x < y > z $F" },
      { fileRead: '/w/skills/a/my notes.md' },
      { skillUse: 'a', confidence: 'weak', evidence: 'Read /w/skills/a/my notes.md' },
      { fileRead: '/w/skills/a/SKILL.md' },
      { skillUse: 'a', confidence: 'strong', evidence: 'Read /w/skills/a/SKILL.md' },
      { fileRead: '/home/me/x' },
      { fileRead: '/w/skills/a/y' },
      { skillUse: 'a', confidence: 'weak', evidence: 'Read /w/skills/a/y' },
    ],
  ],
  ['a read', { name: 'Read', input: { file_path: 'a.md' } }, [{ fileRead: '/w/a.md' }]],
  [
    'a read by a path that wanders',
    { name: 'Read', input: { file_path: '/w/x/../a.md' } },
    [{ fileRead: '/w/a.md' }],
  ],
  [
    'a read with a directory that is empty',
    { name: 'Read', input: { file_path: 'a.md' }, directory: '' },
    [{ fileRead: '/w/a.md' }],
  ],
  ['a read in the home', { name: 'Read', input: { file_path: '~/a.md' } }, [{ fileRead: '/home/me/a.md' }]],
  ['a write', { name: 'Write', input: { file_path: 'b.md', content: 'x' } }, [{ fileWrite: '/w/b.md' }]],
  [
    'a skill tool',
    { name: 'Skill', input: { skill: 'demo' } },
    [{ skillUse: 'demo', confidence: 'explicit', evidence: 'Loaded via skill tool' }],
  ],
  [
    'a skill tool with a namespace',
    { name: 'Skill', input: { skill: 'plugin:demo' } },
    [{ skillUse: 'demo', confidence: 'explicit', evidence: 'Loaded via skill tool (plugin:demo)' }],
  ],
  [
    'SKILL.md of a skill',
    { name: 'Read', input: { file_path: '.claude/skills/demo/SKILL.md' } },
    [
      { fileRead: '/w/.claude/skills/demo/SKILL.md' },
      { skillUse: 'demo', confidence: 'strong', evidence: 'Read /w/.claude/skills/demo/SKILL.md' },
    ],
  ],
  [
    'SKILL.md of a skill outside of the workspace',
    { name: 'Read', input: { file_path: '/home/me/.config/skill/demo/SKILL.md' } },
    [
      { fileRead: '/home/me/.config/skill/demo/SKILL.md' },
      { skillUse: 'demo', confidence: 'strong', evidence: 'Read /home/me/.config/skill/demo/SKILL.md' },
    ],
  ],
  [
    'SKILL.md in another folder',
    { name: 'Read', input: { file_path: 'docs/demo/SKILL.md' } },
    [
      { fileRead: '/w/docs/demo/SKILL.md' },
      { skillUse: 'demo', confidence: 'medium', evidence: 'Read /w/docs/demo/SKILL.md' },
    ],
  ],
  ['SKILL.md in the root', { name: 'Read', input: { file_path: 'SKILL.md' } }, [{ fileRead: '/w/SKILL.md' }]],
  [
    'SKILL.md elsewhere',
    { name: 'Read', input: { file_path: '/other/demo/SKILL.md' } },
    [{ fileRead: '/other/demo/SKILL.md' }],
  ],
  [
    'another file of a skill',
    { name: 'Read', input: { file_path: 'skills/demo/more/notes.md' } },
    [
      { fileRead: '/w/skills/demo/more/notes.md' },
      { skillUse: 'demo', confidence: 'weak', evidence: 'Read /w/skills/demo/more/notes.md' },
    ],
  ],
  [
    'skill.md in small letters',
    { name: 'Read', input: { file_path: 'docs/demo/skill.md' } },
    [{ fileRead: '/w/docs/demo/skill.md' }],
  ],
  ['an argument that is not a text', { name: 'Bash', input: { command: 7 } }, []],
  ['an input that is not a mapping', { name: 'Read', input: 'a.md' }, []],
  ['a tool of another name', { name: 'bash', input: { command: 'ls' } }, []],
  ['a tool with the name of something else', { name: 'constructor', input: {} }, []],
])('%s', (_what, call, expected) => {
  expect(effectsOf(call)).toEqual(expected);
});
