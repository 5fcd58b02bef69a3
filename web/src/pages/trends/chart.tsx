import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

import { safeText } from '../../parts/safe-text.ts';
import { MEASURES, newVersions, type Measure, type Series } from './series.ts';

interface ChartProps {
  readonly series: readonly Series[];
  readonly measure: Measure;
}

const HEIGHT = 280;
/** In seconds. */
const HALF_DAY = 43_200;
const COLOURS = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5', '--series-6'];

/** The number of each run over time. What it shows stands in the table below, too. */
export function Chart({ series, measure }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    let plot = draw(element, { series, measure });
    const again = () => {
      plot.destroy();
      plot = draw(element, { series, measure });
    };
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', again);
    const sized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    sized.observe(element);
    return () => {
      dark.removeEventListener('change', again);
      sized.disconnect();
      plot.destroy();
    };
  }, [series, measure]);
  const names = namesOf(series);
  return (
    <figure>
      <div
        ref={place}
        className="chart"
        role="img"
        aria-label={`${MEASURES[measure].title} over time; the table below has the same numbers`}
      />
      <figcaption>
        {names.map((name, at) => (
          <span key={name} className={`legend series-${(at % COLOURS.length) + 1}`}>
            <span aria-hidden="true">■</span> {safeText(name)}
          </span>
        ))}
        <span className="quiet">
          {measure === 'rate' ? 'Vertical lines are 95 % intervals. ' : ''}A line breaks where cases or
          graders changed. Dotted lines: another version of the agent.
        </span>
      </figcaption>
    </figure>
  );
}

function namesOf(series: readonly Series[]): readonly string[] {
  return [...new Set(series.map(({ name }) => name))];
}

function draw(element: HTMLElement, { series, measure }: ChartProps): uPlot {
  const look = getComputedStyle(element);
  const colour = (name: string) => look.getPropertyValue(name).trim();
  const { title, unit, of } = MEASURES[measure];
  const names = namesOf(series);
  const strokes = series.map(({ name }) => colour(COLOURS[names.indexOf(name) % COLOURS.length] ?? ''));
  const times = [...new Set(series.flatMap(({ points }) => points.map(({ at }) => secondsOf(at))))].toSorted(
    (left, right) => left - right,
  );
  const [only] = times;
  const values = series.map(({ points }) => {
    const byTime = new Map(points.map((point) => [secondsOf(point.at), of(point)]));
    return times.map((time) => (byTime.has(time) ? (byTime.get(time) ?? null) : undefined));
  });
  const axis = {
    stroke: colour('--canvas-quiet'),
    grid: { stroke: colour('--canvas-line'), width: 1 },
    font: `12px ${look.fontFamily}`,
    labelFont: `12px ${look.fontFamily}`,
    ticks: { stroke: colour('--canvas-line'), width: 1 },
  };
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      series: [{}, ...strokes.map((stroke) => ({ stroke, width: 2, points: { show: true, size: 7 } }))],
      scales: {
        ...(measure === 'rate' || measure === 'flakes' ? { y: { range: [0, 100] } } : {}),
        // Else a single point has years around it.
        ...(only === undefined || times.length > 1
          ? {}
          : { x: { range: [only - HALF_DAY, only + HALF_DAY] } }),
      },
      axes: [axis, { ...axis, label: unit === '' ? title : `${title} (${unit})`, size: 64 }],
      hooks: {
        draw: [
          (plot) => drawVersions(plot, series, strokes),
          ...(measure === 'rate' ? [(plot: uPlot) => drawIntervals(plot, series, strokes)] : []),
        ],
      },
    },
    [times, ...values],
    element,
  );
}

/** Where the version of an agent changed, as dotted lines over the whole height. */
function drawVersions(plot: uPlot, series: readonly Series[], strokes: readonly string[]): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([devicePixelRatio, 4 * devicePixelRatio]);
  for (const [at, each] of series.entries()) {
    ctx.strokeStyle = strokes[at] ?? '';
    for (const { at: time } of newVersions(each)) {
      const x = plot.valToPos(secondsOf(time), 'x', true);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
  }
  ctx.restore();
}

/** 95 % intervals as vertical lines. */
function drawIntervals(plot: uPlot, series: readonly Series[], strokes: readonly string[]): void {
  const { ctx } = plot;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  for (const [at, { points }] of series.entries()) {
    ctx.strokeStyle = strokes[at] ?? '';
    for (const { at: time, interval } of points) {
      if (interval === null) continue;
      const x = plot.valToPos(secondsOf(time), 'x', true);
      ctx.beginPath();
      ctx.moveTo(x, plot.valToPos(interval.lower * 100, 'y', true));
      ctx.lineTo(x, plot.valToPos(interval.upper * 100, 'y', true));
      ctx.stroke();
    }
  }
  ctx.restore();
}

function secondsOf(at: string): number {
  return Date.parse(at) / 1000;
}
