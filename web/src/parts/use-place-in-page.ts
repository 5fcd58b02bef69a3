import { useLayoutEffect, useState, type RefObject } from 'react';

/** How far an element stands below the beginning of the page, in pixels; measured again when the page grows. */
export function usePlaceInPage(element: RefObject<HTMLElement | null>): number {
  const [place, setPlace] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      // `offsetTop` of a part of a table is that in its table.
      if (element.current !== null)
        setPlace(Math.round(element.current.getBoundingClientRect().top + scrollY));
    };
    measure();
    const grown = new ResizeObserver(measure);
    grown.observe(document.body);
    return () => grown.disconnect();
  }, [element]);
  return place;
}
