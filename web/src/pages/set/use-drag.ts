import { useState, type PointerEvent } from 'react';

/** A row that is dragged, and the place that it would get. */
export interface Drag {
  readonly from: number;
  readonly to: number;
}

const EDGE_PX = 60;
const SCROLL_PX = 24;

/** Rows with `data-index` are dragged at their handles, by mouse, pen or finger. */
export function useDrag(onMove: (drag: Drag) => void) {
  const [drag, setDrag] = useState<Drag>();
  const handle = (index: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      setDrag({ from: index, to: index });
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent<HTMLElement>) => {
      if (drag === undefined) return;
      if (clientY < EDGE_PX) scrollBy(0, -SCROLL_PX);
      if (clientY > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX);
      const to = rowAt(clientX, clientY);
      if (to !== undefined) setDrag({ ...drag, to });
    },
    onPointerUp: () => {
      if (drag !== undefined && drag.from !== drag.to) onMove(drag);
      setDrag(undefined);
    },
    onPointerCancel: () => setDrag(undefined),
  });
  return { drag, handle };
}

function rowAt(x: number, y: number): number | undefined {
  const row = document.elementFromPoint(x, y)?.closest<HTMLElement>('tr[data-index]');
  return row === null || row === undefined ? undefined : Number(row.dataset['index']);
}
