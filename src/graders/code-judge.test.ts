import { readFileSync } from 'node:fs';
import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';

import type { Finding, Subject } from '../core/grade.ts';
import { codeJudge } from './code-judge.ts';
import { INLINE_BYTES } from './code-judge-input.ts';
import { ScriptError } from './code-judge-result.ts';
import { services as noServices, subjectOf } from './subject.fixture.ts';
import { folderOfTest } from '../../test/support/test-folders.ts';

let directory: string;
beforeEach(async () => {
  directory = folderOfTest('assay-code-judge-test-');
});

const environment = { PATH: `${join(process.execPath, '..')}:/usr/bin:/bin`, HOME: '/nowhere' };

async function grade(config: object, subject: Subject = subjectOf(), signal = new AbortController().signal) {
  const grader = codeJudge.create(codeJudge.config.parse(config), { ...noServices, directory, environment });
  const findings = await grader.grade(subject, signal);
  expect(findings).toHaveLength(1);
  return findings[0] as Finding;
}

async function errorOf(asked: Promise<unknown>): Promise<ScriptError> {
  const error = await asked.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ScriptError);
  return error as ScriptError;
}

/** The dead whom no init has collected count as dead. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

const node = (source: string) => ({ script: ['node', '-e', source] });
const echo = `let text = ''; process.stdin.on('data', (d) => text += d).on('end', () => {
  const document = JSON.parse(text);
  console.log(JSON.stringify({ score: 1, reason: 'echo', details: (PICK)(document) }));
});`;
const picking = (pick: string) => node(echo.replace('PICK', pick));

describe('the input of a script', () => {
  test('the document on stdin keeps the keys of the user as they are', async () => {
    const subject = subjectOf({
      answer: '42',
      case: {
        id: 'c1',
        criteria: 'be right',
        metadata: { riskLevel: 'high', nested: { camelCase: 1 } },
        sidecar: { languageName: 'python' },
      },
    });
    const config = {
      ...picking('(d) => ({ ...d, transcript: d.transcript.length })'),
      config: { maxItems: { aB: 1 } },
    };
    expect(await grade(config, subject)).toEqual({
      score: 1,
      reason: 'echo',
      details: {
        test_id: 'c1',
        target: 'agent',
        question: 'the question',
        criteria: 'be right',
        input: [{ role: 'user', content: 'the question' }],
        expected_output: [],
        reference: null,
        answer: '42',
        output: [],
        transcript: 0,
        trace: {
          tool_calls: 0,
          tool_names: [],
          tool_calls_by_name: {},
          steps: 1,
          turns: 1,
          duration_ms: 1000,
          usage: null,
          cost_usd: null,
        },
        metadata: { riskLevel: 'high', nested: { camelCase: 1 } },
        sidecar: { languageName: 'python' },
        workspace_path: null,
        changes: null,
        config: { maxItems: { aB: 1 } },
      },
    });
  });

  test('the environment is the allowed one, then its own, then the names of the trial', async () => {
    const subject = subjectOf({ workspace: { directory: '/somewhere', changes: async () => [] } });
    const config = {
      ...picking(
        '() => Object.fromEntries(Object.entries(process.env).filter(([k]) => k !== "ASSAY_GRADER" && k !== "PATH"))',
      ),
      env: { MODE: 'strict', ASSAY_CASE_ID: 'mine' },
    };
    expect((await grade(config, subject)).details).toEqual({
      HOME: '/nowhere',
      MODE: 'strict',
      ASSAY_CASE_ID: 'case',
      ASSAY_RUN_ID: '20260101T000000Z-000000',
      ASSAY_TARGET_ID: 'agent',
      ASSAY_WORKSPACE: '/somewhere',
    });
  });

  test('it starts in the folder of the file, or in cwd below it', async () => {
    const where = picking('() => process.cwd()');
    expect((await grade(where)).details).toBe(directory);
    expect((await grade({ ...where, cwd: '..' })).details).toBe(join(directory, '..'));
  });

  test('a program with ./ is relative to the folder of the file even when cwd is elsewhere', async () => {
    await writeFile(join(directory, 'judge.sh'), '#!/bin/sh\necho \'{"score": 0.5, "reason": "half"}\'\n');
    await chmod(join(directory, 'judge.sh'), 0o755);
    expect(await grade({ script: ['./judge.sh'], cwd: '/' })).toEqual({ score: 0.5, reason: 'half' });
  });

  test('a text runs in the shell', async () => {
    const found = await grade({ script: 'cat > /dev/null; printf \'{"score": %s}\' 0.25' });
    expect(found).toEqual({ score: 0.25, reason: 'the script returned 0.25 without a reason' });
  });

  test('parts above 1 MB are private files that are gone afterwards', async () => {
    const large = 'x'.repeat(INLINE_BYTES);
    const subject = subjectOf({
      answer: 'short',
      entries: [{ type: 'message', role: 'assistant', parts: [{ text: large }] }],
      workspace: { directory: '/w', changes: async () => [{ path: 'a', change: 'edited', diff: large }] },
    });
    const pick = `(d) => { const fs = require('fs'); const path = require('path');
      const read = (p) => ({ json: JSON.parse(fs.readFileSync(p)), mode: fs.statSync(p).mode & 0o777,
        folder: fs.statSync(path.dirname(p)).mode & 0o777 });
      const t = read(d.transcript_path), o = read(d.output_path), c = read(d.changes_path);
      return { inline: [d.transcript, d.output, d.changes].filter((p) => p !== undefined), folder: path.dirname(d.output_path),
        modes: [t.mode, o.mode, c.mode, t.folder], sizes: [t.json[0].parts[0].text.length, o.json[0].content.length, c.json.diff.length] } }`;
    const { details } = await grade(picking(pick), subject);
    const { folder, ...rest } = details as { folder: string };
    expect(rest).toEqual({
      inline: [],
      modes: [0o600, 0o600, 0o600, 0o700],
      sizes: [INLINE_BYTES, INLINE_BYTES, INLINE_BYTES + 1],
    });
    await expect(stat(folder)).rejects.toThrow('ENOENT');
  });
});

describe('scripts that behave badly', () => {
  test('one that ends without reading a large stdin is fine', async () => {
    const subject = subjectOf({ answer: 'y'.repeat(3_000_000) });
    expect(await grade({ script: ['true'] }, subject)).toEqual({
      score: 1,
      reason: 'the script exited with 0 and no output',
    });
  });

  test('a script that closes stdin at once and answers later is fine', async () => {
    const subject = subjectOf({ answer: 'y'.repeat(3_000_000) });
    const found = await grade({ script: 'exec 0<&-; echo \'{"score": 0.75, "reason": "ok"}\'' }, subject);
    expect(found).toEqual({ score: 0.75, reason: 'ok' });
  });

  test('a child that holds stdout does not keep the grade, and does not survive', async () => {
    const found = await grade({ script: 'sleep 300 & echo "{\\"score\\": 1, \\"reason\\": \\"pid $!\\"}"' });
    const pid = Number(/\d+/.exec(found.reason)?.[0]);
    expect(isAlive(pid)).toBe(false);
  });

  test('one that hangs is an error that names its limit, never 0', async () => {
    const error = await errorOf(grade({ script: 'echo started; sleep 300', timeout_ms: 2_000 }));
    expect(error.message).toBe('the script timed out after 2000 ms\nstdout: started\nstderr: (empty)');
    expect(error.kind).toBe('grader');
    expect(error.stage).toBe('grading');
  });

  test('a traceback is an error that shows both streams', async () => {
    const error = await errorOf(grade({ script: 'echo looking; echo "Traceback: boom" >&2; exit 1' }));
    expect(error.message).toBe(
      'the script exited with 1 and printed no JSON object with a score\nstdout: looking\nstderr: Traceback: boom',
    );
    expect(error.details).toEqual({
      exitCode: 1,
      signal: null,
      stdout: 'looking',
      stderr: 'Traceback: boom',
    });
  });

  test('one that kills itself is an error that names the signal', async () => {
    const error = await errorOf(grade({ script: 'echo \'{"score": 1}\'; kill -KILL $$' }));
    expect(error.message).toContain('the script was ended by SIGKILL');
  });

  test('a missing program is an error with the place of the search', async () => {
    const error = await errorOf(grade({ script: ['./no-such-judge'] }));
    expect(error.message).toContain(`could not be started: ${directory}/no-such-judge: program not found`);
    expect(error.hint).toBe(
      `a command that starts with ./ or ../ is relative to ${directory}; any other is looked up on PATH`,
    );
  });

  test('an abort ends it and rejects with the reason', async () => {
    const abort = new AbortController();
    const asked = grade({ script: `touch started; sleep 300` }, subjectOf(), abort.signal);
    const outcome = asked.catch((error: unknown) => error);
    await expect.poll(() => readdir(directory)).toEqual(['started']);
    abort.abort(new Error('enough'));
    expect(await outcome).toEqual(new Error('enough'));
  });
});

describe('result: exit_code', () => {
  const runner = (script: string) => ({ script, result: 'exit_code' });

  test('0 passes and 1 fails, and the output does not matter', async () => {
    expect(await grade(runner('echo "{\\"score\\": 0}"'))).toEqual({
      score: 1,
      reason: 'the script exited with 0: {"score": 0}',
    });
    expect(await grade(runner('echo "2 failed"; echo noise >&2; exit 1'))).toEqual({
      score: 0,
      reason: 'the script exited with 1: 2 failed',
    });
  });

  test('2 and above is an error', async () => {
    const error = await errorOf(grade(runner('echo "usage" >&2; exit 2')));
    expect(error.message).toBe('the script exited with 2\nstdout: (empty)\nstderr: usage');
  });
});
