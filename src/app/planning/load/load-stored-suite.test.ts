import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../../../../test/contracts/target.ts';
import { loadConfig } from '../../../authoring/config/load-config.ts';
import { readRunRequest } from '../../../authoring/config/run-request.ts';
import { runSettings } from '../../../authoring/config/run-settings.ts';
import { allTargets, graderShelf } from '../../registry.ts';
import { layRequest } from '../lay-request.ts';
import { casesOfFiles } from './case-source.ts';
import { loadStoredSuite } from './load-stored-suite.ts';

test('a program is started by evaluators of the config, and never by those of a request', async () => {
  const folder = temporaryFolder();
  const entries = [{ type: 'code_judge', script: 'exit 0' }];
  const file = join(folder, 'cases.json');
  writeFileSync(file, JSON.stringify({ name: 'a', initial_message: 'hi' }));
  writeFileSync(
    join(folder, 'assay.config.json'),
    JSON.stringify({ judge: { model: 'a/b', metrics: [] }, run: { expectations: entries } }),
  );
  const plugins = await allTargets();
  const { loaded } = await loadConfig({
    startDirectory: folder,
    cwd: folder,
    environment: {},
    plugins: () => plugins,
  });
  const settled = { loaded: loaded!, run: runSettings(loaded!).settings };
  const problemsOf = async (request: object) => {
    const { loaded: under, run } = layRequest(settled, readRunRequest(request, []).request ?? {});
    const { expectations, areExpectationsRequested: isRequest, faults } = run;
    const known = {
      projectRoot: folder,
      display: (path: string) => path,
      graders: graderShelf(),
      hasJudge: true,
    };
    const { problems } = await loadStoredSuite({
      source: casesOfFiles([file], { projectRoot: folder, cwd: folder }),
      known,
      loaded: under,
      expectations,
      ...(isRequest === undefined ? {} : { isRequest }),
      faults,
      select: {},
    });
    return problems.map(({ code, path }) => [code, path?.join('.')]);
  };
  expect(await problemsOf({})).toEqual([]);
  expect(await problemsOf({ expectations: entries })).toEqual([['not-in-request', 'expectations.0']]);
  expect(await problemsOf({ judge: { metrics: [{ metric: 'tool_routng' }] } })).toEqual([
    ['unknown-metric', 'judge.metrics.0.metric'],
  ]);
});
