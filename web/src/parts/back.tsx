import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

/** The link at the top of a page to the one above it. */
export const Back = createLink(({ children, ...link }: ComponentProps<'a'>) => (
  <p className="path">
    <a {...link}>← {children}</a>
  </p>
));
