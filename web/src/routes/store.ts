import { createRoute, lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';

import { agentSearch } from '../agents/agent-search.ts';
import { caseFilters, type CaseFilters } from '../cases/case-filters.ts';
import { textsOf } from '../filters.ts';
import { archivedFilter } from '../parts/archived.ts';
import { reviewSearch } from '../review/review-search.ts';
import { getParentRoute } from './root.ts';

/** A page without a search. */
const page = <const Path extends string, const Name extends string>(
  path: Path,
  name: Name,
  load: () => Promise<Readonly<Record<Name, RouteComponent>>>,
) => createRoute({ getParentRoute, path, component: lazyRouteComponent(load, name) });

const casesRoute = createRoute({
  getParentRoute,
  path: '/cases',
  component: lazyRouteComponent(() => import('../pages/cases.tsx'), 'CasesPage'),
  validateSearch: caseFilters,
});

const caseRoute = page('/cases/$id', 'CasePage', () => import('../pages/case.tsx'));

const newCaseRoute = createRoute({
  getParentRoute,
  path: '/cases/new',
  // The trial that the case is made of, or the case that it begins with.
  validateSearch: (search) => textsOf(search, ['run', 'trial', 'like']),
  component: lazyRouteComponent(() => import('../pages/new-case.tsx'), 'NewCasePage'),
});

const editCaseRoute = page('/cases/$id/edit', 'EditCasePage', () => import('../pages/edit-case.tsx'));

const importCasesRoute = page('/cases/import', 'ImportCasesPage', () => import('../pages/import-cases.tsx'));

interface NewRunSearch extends CaseFilters {
  readonly id?: readonly string[];
  /** The run that it is filled in as. */
  readonly again?: string;
  /** The agent that it tests, instead of all that the earlier run tested. */
  readonly agent?: string;
}

const newRunRoute = createRoute({
  getParentRoute,
  path: '/runs/new',
  component: lazyRouteComponent(() => import('../pages/new-run.tsx'), 'NewRunPage'),
  validateSearch: (search): NewRunSearch => {
    const id = [search['id']].flat().filter((each) => typeof each === 'string');
    const others = textsOf(search, ['again', 'agent']);
    return { ...caseFilters(search), ...(id.length === 0 ? {} : { id }), ...others };
  },
});

const setsRoute = createRoute({
  getParentRoute,
  path: '/sets',
  component: lazyRouteComponent(() => import('../pages/sets.tsx'), 'SetsPage'),
  validateSearch: archivedFilter,
});

const newSetRoute = page('/sets/new', 'NewSetPage', () => import('../pages/new-set.tsx'));

const setRoute = page('/sets/$id', 'SetPage', () => import('../pages/set.tsx'));

const editSetRoute = page('/sets/$id/edit', 'EditSetPage', () => import('../pages/edit-set.tsx'));

const agentsRoute = createRoute({
  getParentRoute,
  path: '/agents',
  component: lazyRouteComponent(() => import('../pages/agents.tsx'), 'AgentsPage'),
  validateSearch: archivedFilter,
});

const newAgentRoute = createRoute({
  getParentRoute,
  path: '/agents/new',
  // The target of the config that it is made of, and the run to plan again with it.
  validateSearch: (search) => textsOf(search, ['target', 'again']),
  component: lazyRouteComponent(() => import('../pages/new-agent.tsx'), 'NewAgentPage'),
});

const agentRoute = createRoute({
  getParentRoute,
  path: '/agents/$id',
  component: lazyRouteComponent(() => import('../pages/agent.tsx'), 'AgentPage'),
  validateSearch: agentSearch,
});

const editAgentRoute = page('/agents/$id/edit', 'EditAgentPage', () => import('../pages/edit-agent.tsx'));

const newVersionRoute = createRoute({
  getParentRoute,
  path: '/agents/$id/versions/new',
  // The run to plan again with this version.
  validateSearch: (search) => textsOf(search, ['again']),
  component: lazyRouteComponent(() => import('../pages/new-version.tsx'), 'NewVersionPage'),
});

const agentMocksRoute = page('/agents/$id/mocks', 'AgentMocksPage', () => import('../pages/agent-mocks.tsx'));

const settingsRoute = createRoute({
  getParentRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/settings.tsx'), 'SettingsPage'),
  validateSearch: archivedFilter,
});

const newAccountRoute = page(
  '/settings/accounts/new',
  'NewAccountPage',
  () => import('../pages/new-account.tsx'),
);

const newTokenRoute = page('/settings/tokens/new', 'NewTokenPage', () => import('../pages/new-token.tsx'));

const newMetricRoute = page('/metrics/new', 'NewMetricPage', () => import('../pages/new-metric.tsx'));

const metricRoute = page('/metrics/$id', 'MetricPage', () => import('../pages/metric.tsx'));

const reviewRoute = createRoute({
  getParentRoute,
  path: '/review',
  component: lazyRouteComponent(() => import('../pages/review.tsx'), 'ReviewPage'),
  validateSearch: reviewSearch,
});

const agreementRoute = createRoute({
  getParentRoute,
  path: '/review/agreement',
  component: lazyRouteComponent(() => import('../pages/agreement.tsx'), 'AgreementPage'),
  validateSearch: (search) => textsOf(search, ['run', 'seen']),
});

/** The pages that only a store has. They are loaded when they are opened. */
export const storeRoutes = [
  importCasesRoute,
  newRunRoute,
  casesRoute,
  caseRoute,
  newCaseRoute,
  editCaseRoute,
  setsRoute,
  newSetRoute,
  setRoute,
  editSetRoute,
  agentsRoute,
  newAgentRoute,
  agentRoute,
  editAgentRoute,
  newVersionRoute,
  agentMocksRoute,
  settingsRoute,
  newAccountRoute,
  newTokenRoute,
  newMetricRoute,
  metricRoute,
  reviewRoute,
  agreementRoute,
] as const;
