import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { shellQuote } from '../process/shell-quote.ts';
import { filesReadBy } from './reads.ts';

const place = { directory: '/w', home: '/home/me' };

test.each<[string, readonly string[]]>([
  ["cat 'my dir/SKILL.md' b.md | head", ['/w/my dir/SKILL.md', '/w/b.md']],
  ['sed -n 1,20p f', ['/w/f']],
  ["sed -e p -e '$d' f g", ['/w/f', '/w/g']],
  ['sed -i s/a/b/ f', []],
  ['sed -ni.bak p f; sed --in-place p g', []],
  ['cat < g', ['/w/g']],
  ['cat > out', []],
  ["cat > out <<'E'\ncat x\nE\n", []],
  ['grep x h', []],
  ['cat $F "$F/x" *.md a{1,2} `ls`', []],
  [`cat '$F' \\* "a*"`, ['/w/$F', '/w/*', '/w/a*']],
  ['cat ~/x ~other/y "~/z"', ['/home/me/x', '/w/~/z']],
  ['cd skills/a && head -n 20 SKILL.md', ['/w/skills/a/SKILL.md']],
  ['cd /abs; head -20 a; tail -n +3 b; tail +3 c', ['/abs/a', '/abs/b', '/abs/c']],
  ['(cd a; cat f); cat f', ['/w/a/f', '/w/f']],
  ['cd a; (cat f; cd b; cat f); cat f', ['/w/a/f', '/w/a/b/f']],
  ['bash -lc "cd a && cat f"; cat f', ['/w/a/f', '/w/f']],
  ['cd -; cat f /x', ['/x']],
  ['cd "$D" && cat f', []],
  ['cd a; cd; cat f', ['/home/me/f']],
  ['pushd a; cat f; popd; cat g', ['/w/a/f']],
  ['env cd a; cat f', ['/w/f']],
  ['command cd a; cat f', ['/w/a/f']],
  ['cat - f -- -n', ['/w/f', '/w/-n']],
  ['cat f ./f ../w/f', ['/w/f']],
  ['less +G f; bat -l ts --style=plain f g; nl -ba h', ['/w/f', '/w/g', '/w/h']],
  ['/usr/bin/cat f 2>/dev/null', ['/w/f']],
  ['sudo -u ci cat f', ['/w/f']],
  ['echo $(cat f)', ['/w/f']],
  ['echo cat f', []],
  ['env -C sub cat f /x; cat g', ['/x', '/w/g']],
  ['env -uX --chdir=sub cat f; sudo -D /y cat f; sudo -i cat f', []],
  ['env -C sub sh -c "cat f"; env -i cat g', ['/w/g']],
  ['cd sub | cat f; cat g', ['/w/f', '/w/g']],
  ['true |\n cd sub; cat f; cd a || cat g', ['/w/f', '/w/a/g']],
  ['cd a; true | (cd b; cat f) | cat g', ['/w/a/b/f', '/w/a/g']],
  ['(case x in a) cd y;; esac; cat f); cat g', ['/w/y/f', '/w/g']],
  ['case $x in (a|b) cat f;; *) cat g; esac; cat h', ['/w/f', '/w/g', '/w/h']],
  ['{ cd a; cat f; } | cat g; cat h', ['/w/a/f', '/w/g', '/w/h']],
  ['{ cd a; } | x; cat f', ['/w/f']],
  ['x | { cd a; cat f; }; cat g', ['/w/a/f', '/w/g']],
  ['{ cd a; cat f; } > out; cat g', ['/w/a/f', '/w/a/g']],
  ['{ { cd a; } | x; cat f; cd b; }; cat g', ['/w/f', '/w/b/g']],
  ['for d in a; do cd $d; cat f; cd /y; done | x; cat g', ['/w/g']],
  ['x | while read l; do cd z; cat f; done; cat g', ['/w/z/f', '/w/g']],
  ['if cd a; then cat f; fi | cat g; cat h', ['/w/a/f', '/w/g', '/w/h']],
  ['(true; { cd a; cat f; } | x; cat g); cat h', ['/w/a/f', '/w/g', '/w/h']],
  ['cd a & cat f', ['/w/f']],
  ['{ cd a; cat f; } & cat g', ['/w/a/f', '/w/g']],
  ['cd a && cat g & cat f', ['/w/a/g', '/w/f']],
  ['cd app && npm start & cat x', ['/w/x']],
  ['cd a; cd b && cat g || cd c & cat f', ['/w/a/b/g', '/w/a/f']],
  ['cd a &&\n cat g & cat f\ncd b\ncat g & cat f', ['/w/a/g', '/w/f', '/w/b/g', '/w/b/f']],
  ['{ cd a && cat g & cat f; }; cat h', ['/w/a/g', '/w/f', '/w/h']],
  ['cd a && { cd b; cat g; } & cat f', ['/w/a/b/g', '/w/f']],
  ['(cd a && cat g & cat f); cat h', ['/w/a/g', '/w/f', '/w/h']],
  ['cd a && (cat g; cd b) & cat f', ['/w/a/g', '/w/f']],
  ['case x in a) cd y && cat g & cat f;; esac; cat h', ['/w/y/g', '/w/f', '/w/h']],
  ['if cd a && cat g & then cat f; fi', ['/w/a/g', '/w/f']],
  ['x | cd a && cd b & cat f', ['/w/f']],
  ['cd a && x |& cat f', ['/w/a/f']],
  ['for ((i=0;i<3;i++)); do cat f; done', ['/w/f']],
  ['for ((i=0; i < 3; i++)) do cat f; done; cat g', ['/w/f', '/w/g']],
  ['((a<b)) && cat f', ['/w/f']],
  ['cat !(x) @(y|z) f', ['/w/f']],
])('%j reads %j', (text, expected) => {
  expect(filesReadBy(text, place)).toEqual(expected);
});

test('in an unknown directory only absolute paths are returned', () => {
  expect(filesReadBy('cat a /b; cd /c; cat d; cat ~/e', { directory: undefined })).toEqual(['/b', '/c/d']);
});

test('any quoted name is read as it is, and no text makes it fail', () => {
  const name = fc.string({ minLength: 1 }).filter((text) => !/\0/.test(text));
  fc.assert(
    fc.property(name, (text) => {
      expect(filesReadBy(`cat -- ${shellQuote(`/d/${text.replaceAll('/', '_')}x`)}`, place)).toEqual([
        `/d/${text.replaceAll('/', '_')}x`,
      ]);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'cat d;"\'\\$(){}<>|&`~#-\n') }), (text) => {
      expect(Array.isArray(filesReadBy(text, place))).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('shells in each other beyond what anybody writes are read as the one around them', () => {
  const nested = `${'(cd a; '.repeat(2_000)}cat f${')'.repeat(2_000)}; cat g`;
  expect(filesReadBy(nested, place)).toHaveLength(2);
  expect(filesReadBy(nested, place).at(-1)).toBe('/w/g');
});
