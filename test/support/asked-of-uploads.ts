import { expect } from 'vitest';

import type { StoreOperation } from '../../src/server/operation.ts';
import { attached } from '../../src/storage/runs/detach.ts';
import { ended, manifestOf, rowOf } from '../../src/storage/run-directory/fixtures/runs.ts';
import type { ServedStore } from './served-store.ts';
import { uploadOf } from './uploaded-run.ts';
import { LONG } from './written-runs.ts';

type Ask = ServedStore['ask'];

type Operations =
  | 'uploadRun'
  | 'keepAttachment'
  | 'listReviews'
  | 'addReview'
  | 'listLabels'
  | 'getCalibration'
  | 'listBaselines'
  | 'setBaseline'
  | 'clearBaseline';

const { id: RUN } = manifestOf();
const { attachment: TEXT } = attached(LONG);
const REVIEWS = `/runs/${RUN}/trials/1/reviews` as const;

const upload = async (ask: Ask) => {
  const targets = [{ name: 't', type: 'mock', config: {}, digest: 0 }];
  const lines = uploadOf([ended(rowOf('a', { output: attached(LONG) }))], { targets });
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  return ask('POST', '/runs/upload', { body, headers: { 'Content-Type': 'application/x-ndjson' } });
};

const review = async (ask: Ask) => {
  await upload(ask);
  return ask('POST', REVIEWS, { body: { verdict: 'passed', seen_judge: true } });
};

const baseline = async (ask: Ask) => {
  await upload(ask);
  return ask('POST', '/baselines', { body: { target: 't', line: 'main', run_id: RUN } });
};

/** How the operations of uploaded and reviewed runs are asked. */
export const ASKED_OF_UPLOADS: Readonly<Record<Operations & StoreOperation, (ask: Ask) => ReturnType<Ask>>> =
  {
    uploadRun: upload,
    keepAttachment: async (ask) => {
      const { body } = await upload(ask);
      expect(body.missing).toEqual([TEXT]);
      const headers = { 'Content-Type': 'application/octet-stream' };
      return ask('PUT', `/attachments/${TEXT}`, { body: LONG, headers });
    },
    addReview: review,
    listReviews: async (ask) => {
      await review(ask);
      return ask('GET', REVIEWS);
    },
    listLabels: async (ask) => {
      await review(ask);
      return ask('GET', '/reviews?format=labels');
    },
    getCalibration: async (ask) => {
      await review(ask);
      return ask('GET', `/runs/${RUN}/calibration`);
    },
    setBaseline: baseline,
    listBaselines: async (ask) => {
      await baseline(ask);
      return ask('GET', '/baselines');
    },
    clearBaseline: async (ask) => ask('DELETE', `/baselines/${(await baseline(ask)).body.id}`),
  };
