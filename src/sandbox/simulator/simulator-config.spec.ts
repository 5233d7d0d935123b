import { describe, expect, it } from '@jest/globals';
import { loadSimulatorConfig } from './simulator-config.js';

const database = { SIMULATOR_DATABASE_URL: 'postgres://localhost/db' };

describe('loadSimulatorConfig', () => {
  it('requires only a database', () => {
    const config = loadSimulatorConfig(database);
    expect(config).toMatchObject({
      port: 3100,
      publicUrl: 'http://localhost:3100',
      controlOpen: false,
      initiationUrl: 'http://localhost:3000/connect',
      client: {
        clientId: 'erp-export-connector',
        redirectUris: ['http://localhost:3000/oauth/callback'],
      },
    });
  });

  it('takes several redirect addresses and drops a trailing slash', () => {
    const config = loadSimulatorConfig({
      ...database,
      SIMULATOR_URL: 'https://platform.example/',
      SIMULATOR_REDIRECT_URIS: 'https://a.example/callback, https://b.example/callback',
    });
    expect(config.publicUrl).toBe('https://platform.example');
    expect(config.client.redirectUris).toEqual(['https://a.example/callback', 'https://b.example/callback']);
  });

  it.each([
    [{}, 'SIMULATOR_DATABASE_URL'],
    [{ ...database, SIMULATOR_CLIENT_SECRET: 'short' }, 'SIMULATOR_CLIENT_SECRET'],
    [{ ...database, SIMULATOR_REDIRECT_URIS: 'nowhere' }, 'SIMULATOR_REDIRECT_URIS'],
    [{ ...database, SIMULATOR_POTR: '1' }, 'SIMULATOR_POTR: unknown variable, did you mean SIMULATOR_PORT?'],
  ])('refuses %j', (environment, problem) => {
    expect(() => loadSimulatorConfig(environment)).toThrow(problem);
  });
});
