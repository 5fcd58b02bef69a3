import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { RefusedError } from '../../src/api/client.ts';
import './look/style.css';
import { isShort } from './long-lists.ts';
import { router } from './router.ts';

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (times, error) => times < 1 && !isSignedOut(error),
      staleTime: 2000,
      refetchOnMount: isShort,
      refetchOnWindowFocus: isShort,
      refetchOnReconnect: isShort,
    },
  },
});

function isSignedOut(error: Error): boolean {
  return error instanceof RefusedError && error.status === 401;
}

const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
