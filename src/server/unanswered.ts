import type { Route } from '../api/route.ts';
import { table } from '../api/table.ts';
import { Refusal } from './refusal.ts';

export type Mode = 'view' | 'serve';

/** The refusal of a request that no handler takes: read-only, without a store, another method, or unknown. */
export function unanswered(method: string, pathname: string, mode: Mode): Refusal {
  const known = routesOf(pathname.replace(/^\/api\/v1/, ''));
  const refused = mode === 'view' ? ofView(method, pathname, known) : undefined;
  if (refused !== undefined) return refused;
  const methods = [...new Set(known.map((route) => route.method))];
  if (methods.length === 0) {
    return new Refusal(404, {
      code: 'unknown-route',
      message: `unknown route ${pathname}`,
      hint: 'GET /api/v1/openapi.json lists the routes',
    });
  }
  return new Refusal(
    405,
    {
      code: 'method-not-allowed',
      message: `${method} is not allowed for ${pathname}`,
      hint: `use ${methods.join(', ')}`,
    },
    allow(methods.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]))),
  );
}

/** The refusal of an address outside `/api/v1` that is no page either. */
export function notOfApi(pathname: string): Refusal {
  const isApi = pathname === '/api' || pathname.startsWith('/api/');
  return new Refusal(404, {
    code: 'unknown-route',
    message: isApi
      ? `unknown route ${pathname}: this server has version 1 of the API`
      : `unknown route ${pathname}`,
    hint: 'use addresses below /api/v1; GET /api/v1/openapi.json lists the routes',
  });
}

/** A view has no store, and changes nothing. */
function ofView(method: string, pathname: string, known: readonly Route[]): Refusal | undefined {
  const isRead = method === 'GET' || method === 'HEAD';
  const ofStore = known.filter(({ needs }) => needs === 'store');
  const isResource = ofStore.some((route) => route.method === 'GET');
  if (isResource || (ofStore.length > 0 && !isServed(pathname))) {
    return new Refusal(404, {
      code: 'no-store',
      message: `${pathname} needs a store, but this server only shows run directories`,
      hint: 'start a server with a store: `assay serve`',
    });
  }
  if (isRead) return undefined;
  return new Refusal(
    405,
    {
      code: 'read-only',
      message: `${method} is not allowed: this server only shows runs`,
      hint: 'start a server with a store (`assay serve`), or use the command line',
    },
    allow(['GET', 'HEAD']),
  );
}

/** Whether a view answers below the first name of this address. */
function isServed(pathname: string): boolean {
  const first = pathname.split('/')[3];
  return routes.some(({ path, needs }) => needs !== 'store' && path.split('/')[1] === first);
}

const routes: readonly Route[] = Object.values(table);

function routesOf(path: string): readonly Route[] {
  return routes.filter((route) => isOf(path, route.path));
}

function isOf(path: string, pattern: string): boolean {
  const [own, parts] = [path.split('/'), pattern.split('/')];
  return (
    own.length === parts.length &&
    parts.every((part, at) => (part.startsWith('{') ? own[at] !== '' : part === own[at]))
  );
}

function allow(methods: readonly string[]): Readonly<Record<string, string>> {
  return { Allow: methods.join(', ') };
}
