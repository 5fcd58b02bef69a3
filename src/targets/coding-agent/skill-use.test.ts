import { expect, test } from 'vitest';

import { skillRead } from './skill-use.ts';

const PLACE = { workspace: '/home/u/skills/shop', home: '/tmp/h-1/home' };

test.each<[string, string, string | undefined]>([
  ['/home/u/skills/shop/src/a.ts', 'the workspace lies below a skills folder', undefined],
  ['/home/u/skills/shop/README.md', 'nor does its top', undefined],
  ['/home/u/skills/shop/packages/skills/web/skills/demo/ref.md', 'the last folder counts', 'demo weak'],
  ['/home/u/skills/shop/.claude/skills/demo/ref/deep.md', 'a file of a skill', 'demo weak'],
  ['/home/u/skills/shop/.claude/skills/demo/SKILL.md', 'the skill itself', 'demo strong'],
  ['/home/u/skills/shop/.opencode/skill/demo/SKILL.md', 'under the other name', 'demo strong'],
  ['/home/u/skills/shop/docs/demo/SKILL.md', 'elsewhere below the workspace', 'demo medium'],
  ['/home/u/skills/shop/SKILL.md', 'the top of the workspace is not a skill', undefined],
  ['/tmp/h-1/home/.pi/skills/own/ref.md', 'below the home', 'own weak'],
  ['/etc/agent/skills/managed/ref.md', 'outside of both', 'managed weak'],
  ['/home/u/skills/shop/skills/a.md', 'a file beside the skills', undefined],
])('%s: %s', (path, _, wanted) => {
  const use = skillRead(path, PLACE);
  expect(use && `${use.skillUse} ${use.confidence}`).toBe(wanted);
});
