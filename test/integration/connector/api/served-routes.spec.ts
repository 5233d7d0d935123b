import { describe, expect, it } from '@jest/globals';
import { OPERATOR_TOKEN, startConnectorApp } from '../../../support/connector-app.js';
import { startedOnce } from '../../../support/started-once.js';
import { runningRoutes } from '../isolation/running-routes.js';

// What a process serves of all that the program has.

const OF_GROUP = {
  webhooks: /^POST \/webhooks\//,
  operator: /^[A-Z]+ \/api\/v1\/operator\//,
  documents: /^[A-Z]+ \/(api\/(docs|openapi)|problems)/,
  administration: /^[A-Z]+ \/(api\/v1\/(?!operator\/)|settings|connect$|oauth\/)/,
} as const;
type Group = keyof typeof OF_GROUP;
const GROUPS = Object.keys(OF_GROUP) as readonly Group[];

describe.each(GROUPS)('a process that serves %s only', (group) => {
  const connector = startedOnce(() => startConnectorApp({ CONNECTOR_SERVES: group }));

  it('responds 404 to all other routes, also to the operator', async () => {
    const isOf = (route: string) => GROUPS.some((each) => OF_GROUP[each].test(route));
    const routes = runningRoutes(connector.app).filter((route) => isOf(route) && !route.includes('*'));
    expect(routes.length).toBeGreaterThan(80);
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}` };
    for (const route of routes) {
      const [method = '', url = ''] = route.split(' ');
      const answer = await connector.app.inject({
        method: method as 'GET',
        url: url.replaceAll('{}', 'x'),
        headers,
      });
      const isClosed = answer.body.includes('There is nothing at this address.');
      expect([route, isClosed]).toEqual([route, !OF_GROUP[group].test(route)]);
    }
  });

  it('opens none of them for another spelling of their address', async () => {
    for (const url of [
      '/api/v1/%6fperator/installations',
      '//api/v1/me',
      '/%61pi/v1/me',
      '/api/v1/me/',
      '/API/v1/me',
    ]) {
      const { statusCode } = await connector.app.inject({ url });
      const isServed = url.includes('perator') ? group === 'operator' : group === 'administration';
      expect([url, statusCode === 404 || isServed]).toEqual([url, true]);
    }
  });
});
