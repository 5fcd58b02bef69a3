import { createRouter } from '@tanstack/react-router';

import { Broken, NotFound } from './parts/states.tsx';
import { resultRoutes } from './routes/results.ts';
import { root } from './routes/root.ts';
import { storeRoutes } from './routes/store.ts';

export const router = createRouter({
  routeTree: root.addChildren([...resultRoutes, ...storeRoutes]),
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: Broken,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
