// One row for each page of an operator. They are small: one script has all of them.
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { NotFound } from '../parts/not-found.js';
import { ROUTER_OPTIONS } from '../shell/router-options.js';
import { CustomerPage } from './customer.page.js';
import { CustomersPage } from './customers.page.js';
import { DeadLettersPage } from './dead-letters.page.js';
import { KeysPage } from './keys.page.js';
import { OPERATOR_BASE, OperatorShell } from './shell.js';
import { WorkersPage } from './workers.page.js';

const rootRoute = createRootRoute({ component: OperatorShell, notFoundComponent: NotFound });
const page = { getParentRoute: () => rootRoute } as const;

const routes = [
  createRoute({ ...page, path: '/', component: CustomersPage }),
  createRoute({ ...page, path: '/customers/$id', component: CustomerPage }),
  createRoute({ ...page, path: '/dead-letters', component: DeadLettersPage }),
  createRoute({ ...page, path: '/workers', component: WorkersPage }),
  createRoute({ ...page, path: '/keys', component: KeysPage }),
];

export const router = createRouter({
  routeTree: rootRoute.addChildren(routes),
  basepath: OPERATOR_BASE,
  ...ROUTER_OPTIONS,
});
