import { createRootRoute } from '@tanstack/react-router';

import { Frame } from '../parts/frame.tsx';

export const root = createRootRoute({ component: Frame });

export const getParentRoute = () => root;
