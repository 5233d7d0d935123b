// One row for each page; its script is loaded with it.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { BASE } from '../api/sample.js';
import { NotFound } from '../parts/not-found.js';
import { onceReachable } from './once-reachable.js';
import { ROUTER_OPTIONS } from './router-options.js';
import { Shell } from './shell.js';

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const page = { getParentRoute: () => rootRoute } as const;

/** @param load its file, which is fetched when the page is first opened */
function shown<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(onceReachable(load), name);
}

const routes = [
  createRoute({
    ...page,
    path: '/',
    component: shown(() => import('../pages/home/home.page.js'), 'HomePage'),
  }),
  createRoute({
    ...page,
    path: '/clients',
    component: shown(() => import('../pages/clients/clients.page.js'), 'ClientsPage'),
  }),
  createRoute({
    ...page,
    path: '/exports',
    component: shown(() => import('../pages/exports/exports.page.js'), 'ExportsPage'),
  }),
  createRoute({
    ...page,
    path: '/exports/$id',
    component: shown(() => import('../pages/exports/export.page.js'), 'ExportPage'),
  }),
  createRoute({
    ...page,
    path: '/entries',
    component: shown(() => import('../pages/entries/entries.page.js'), 'EntriesPage'),
  }),
  createRoute({
    ...page,
    path: '/entries/$id',
    component: shown(() => import('../pages/entries/entry.page.js'), 'EntryPage'),
  }),
  createRoute({
    ...page,
    path: '/previews/$id',
    component: shown(() => import('../pages/previews/preview.page.js'), 'PreviewPage'),
  }),
  createRoute({
    ...page,
    path: '/issues',
    component: shown(() => import('../pages/issues/issues.page.js'), 'IssuesPage'),
  }),
  createRoute({
    ...page,
    path: '/issues/$id',
    component: shown(() => import('../pages/issues/issue.page.js'), 'IssuePage'),
  }),
  createRoute({
    ...page,
    path: '/mapping',
    component: shown(() => import('../pages/mapping/mapping.page.js'), 'MappingPage'),
  }),
  createRoute({
    ...page,
    path: '/mapping/versions/$id',
    component: shown(() => import('../pages/mapping/version.page.js'), 'VersionPage'),
  }),
  createRoute({
    ...page,
    path: '/setup',
    component: shown(() => import('../pages/setup/setup.page.js'), 'SetupPage'),
  }),
  createRoute({
    ...page,
    path: '/reconciliation',
    component: shown(() => import('../pages/reconciliation/reconciliation.page.js'), 'ReconciliationPage'),
  }),
  createRoute({
    ...page,
    path: '/reference-data',
    component: shown(() => import('../pages/reference-data/reference-data.page.js'), 'ReferenceDataPage'),
  }),
  createRoute({
    ...page,
    path: '/reference-data/$id',
    component: shown(() => import('../pages/reference-data/run.page.js'), 'RunPage'),
  }),
  createRoute({
    ...page,
    path: '/certificates',
    component: shown(() => import('../pages/certificates/certificates.page.js'), 'CertificatesPage'),
  }),
  createRoute({
    ...page,
    path: '/certificates/$id',
    component: shown(() => import('../pages/certificates/certificate.page.js'), 'CertificatePage'),
  }),
  createRoute({
    ...page,
    path: '/month-end',
    component: shown(() => import('../pages/month-end/month-end.page.js'), 'MonthEndPage'),
  }),
  createRoute({
    ...page,
    path: '/audit',
    component: shown(() => import('../pages/audit/audit.page.js'), 'AuditPage'),
  }),
  createRoute({
    ...page,
    path: '/people',
    component: shown(() => import('../pages/people/people.page.js'), 'PeoplePage'),
  }),
];

export const router = createRouter({
  routeTree: rootRoute.addChildren(routes),
  basepath: BASE,
  ...ROUTER_OPTIONS,
});
