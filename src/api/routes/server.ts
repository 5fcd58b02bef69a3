import { document } from '../resources/document.ts';
import { health, settings } from '../resources/settings.ts';
import { read, type Route } from '../route.ts';

/** The server itself. */
export const serverRoutes = {
  getSettings: read({
    path: '/settings',
    summary: 'Version, project and mode of this server',
    answer: settings,
    needs: 'nothing',
  }),
  getOpenApi: read({
    path: '/openapi.json',
    summary: 'This OpenAPI document',
    answer: document<object>('OpenAPI', 'OpenAPI 3.1'),
    needs: 'nothing',
  }),
  getTestCaseSchema: read({
    path: '/schemas/test-case',
    summary: 'The JSON Schema of stored test cases',
    answer: document<object>('JSON Schema', 'draft 2020-12'),
    needs: 'nothing',
  }),
  getHealth: read({
    path: '/healthz',
    summary: 'Whether the server is running',
    answer: health,
    needs: 'nothing',
  }),
  getReadiness: read({
    path: '/readyz',
    summary: 'Whether the server can answer',
    answer: health,
    needs: 'nothing',
  }),
} as const satisfies Readonly<Record<string, Route>>;
