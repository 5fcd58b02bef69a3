import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

import { useMay } from './use-session.ts';

/** A button that leads to the form of something new, for those who may write. */
export const AddLink = createLink((link: ComponentProps<'a'>) =>
  useMay('member') ? <a {...link} className="button" /> : null,
);
