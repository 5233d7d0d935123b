import { expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';

it.each(['connector/main.js', 'connector/worker.js'])(
  '%s tells every problem of its environment at once and does not start',
  async (entry) => {
    const environment = {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PORT: 'abc',
      LEDGER_APIKEY: 'x',
    };
    const child = spawn(process.execPath, [`dist/${entry}`], {
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (chunk) => (errors += String(chunk)));
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
    expect(code).toBe(78);
    expect(errors).toContain('the configuration has 11 problem(s):');
    expect(errors).toContain('PORT: needs a port number');
    expect(errors).toContain('LEDGER_APIKEY: unknown variable');
    expect(errors).toContain('CREDENTIAL_KEYS: is required in production');
  },
);
