import type { Screen } from '../../core/log.ts';
import type { SinkServices } from '../plugin.ts';
import { WAITING_FOR_WORKERS } from '../../core/handed-trials.ts';
import type { Row, RunEvent } from '../../core/run.ts';
import {
  costsText,
  durationText,
  needsAttention,
  rowCosts,
  scoredText,
  skippedText,
  whyText,
} from '../../reading/phrases.ts';
import { statusText } from '../../reading/outcomes.ts';
import { trialPlaceText } from '../../reading/trial-words.ts';
import { paletteFor, signs, type Palette } from './palette.ts';
import { liveLines, plainLine } from './progress-line.ts';
import { clean } from './text.ts';

/** Shows the progress of a run until it is stopped. */
export interface Progress {
  on(event: RunEvent): void;
  stop(): void;
}

const FRAME_MS = 100;
const LINE_MS = 1000;

export const noProgress: Progress = { on: () => {}, stop: () => {} };

/** A few lines that are redrawn in place, at most ten times a second. Failures are printed above them. */
export function liveProgress(services: SinkServices): Progress {
  const { screen, now, verbosity } = services;
  const palette = paletteFor(screen.colour);
  const startedAt = now();
  let drawnAt = -Infinity;
  let drawn = 0;
  let above = '';
  let timer: NodeJS.Timeout | undefined;

  const draw = () => {
    clearTimeout(timer);
    timer = undefined;
    drawnAt = now();
    const lines = liveLines(services.view(), now() - startedAt, { columns: screen.columns, palette });
    screen.write(`${erase(drawn)}${above}${lines.map((line) => `${line}\n`).join('')}`);
    above = '';
    drawn = lines.length;
  };

  return {
    on: (event) => {
      const { fact } = event;
      if (fact.type === 'transcript-entry' || fact.type === 'grade') return;
      above += waitingText(event, palette);
      if (fact.type === 'trial-end' && (verbosity === 'verbose' || needsAttention(fact.row))) {
        above += endedText(fact.row, screen, palette);
      }
      const wait = FRAME_MS - (now() - drawnAt);
      if (wait <= 0) draw();
      else timer ??= setTimeout(draw, wait).unref();
    },
    stop: () => {
      clearTimeout(timer);
      screen.write(`${erase(drawn)}${above}`);
      drawn = 0;
      above = '';
    },
  };
}

/** Prints at most one line a second, and with `verbose` also a line for every trial. */
export function plainProgress(services: SinkServices): Progress {
  const { screen, now, verbosity } = services;
  const palette = paletteFor(screen.colour);
  const startedAt = now();
  let printedAt = -Infinity;
  let printed = -1;

  return {
    on: (event) => {
      const { fact } = event;
      const waiting = waitingText(event, palette);
      if (waiting !== '') screen.write(waiting);
      if (fact.type === 'trial-end' && verbosity === 'verbose') {
        screen.write(endedText(fact.row, screen, palette));
      }
      if (now() - printedAt < LINE_MS) return;
      const view = services.view();
      if (view.ended === printed) return;
      printedAt = now();
      printed = view.ended;
      screen.write(`${plainLine(view, now() - startedAt)}\n`);
    },
    stop: () => {},
  };
}

/** Why the run waits. Other warnings are printed at its end. */
function waitingText({ fact }: RunEvent, palette: Palette): string {
  if (fact.type !== 'note' || !fact.text.startsWith(WAITING_FOR_WORKERS)) return '';
  return `${palette.status.errored(`Warning: ${clean(fact.text, 500)}`)}\n`;
}

function erase(lines: number): string {
  return lines === 0 ? '' : `\r\u001b[${lines}A\u001b[J`;
}

function endedText(row: Row, screen: Screen, palette: Palette): string {
  const paint = palette.status[row.status];
  const place = palette.faint(placeText(row));
  const head = `${paint(`${signs[row.status]} ${statusText(row)}`)}  ${clean(row.caseId, 80)}  ${place}`;
  if (needsAttention(row)) {
    return `${head}\n    ${clean(whyText(row), Math.max(40, screen.columns - 6))}\n`;
  }
  const cost = costsText(rowCosts(row));
  const measured = [
    ...(row.score === null ? [] : [scoredText(row)]),
    ...(row.skipped === undefined ? [durationText(row.durationMs)] : [clean(skippedText(row), 200)]),
    ...(cost === undefined || cost === 'unknown' ? [] : [cost]),
    ...(row.cached === undefined ? [] : ['cached']),
  ];
  return `${head}  ${palette.faint(measured.join(', '))}\n`;
}

/** Suite, target and repetition of a trial, shown after the name of its case. */
export function placeText(row: Row): string {
  return trialPlaceText({ ...row, suite: clean(row.suite, 80), target: clean(row.target, 40) });
}
