import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';

/** What a program writes to standard error when it runs these statements with `logger`. */
function logged(statements: string): readonly Record<string, unknown>[] {
  const script = `
    import { createLogger } from './build/foundation/logging/logger.js';
    const logger = createLogger('test', { LOG_LEVEL: 'info', LOG_FORMAT: 'json' });
    ${statements}`;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect({ status: run.status, stdout: run.stdout }).toEqual({ status: 0, stdout: '' });
  const lines = run.stderr.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('the log', () => {
  it.each([
    'authorization',
    'cookie',
    'password',
    'secretKey',
    'accessToken',
    'refresh_token',
    'client_secret',
    'code_verifier',
    'apiKey',
    'note',
  ])('never shows %s, at any depth of a logged object', (name) => {
    const [top, nested, deeper] = logged(`
      logger.info({ '${name}': 'canary' }, 'top');
      logger.info({ request: { '${name}': 'canary' } }, 'nested');
      logger.info({ request: { headers: { '${name}': 'canary' } } }, 'deeper');`);
    expect(top).toMatchObject({ [name]: '[redacted]' });
    expect(nested).toMatchObject({ request: { [name]: '[redacted]' } });
    expect(deeper).toMatchObject({ request: { headers: { [name]: '[redacted]' } } });
  });

  it('shows of an error its name, message, stack and cause, and no property of a library', () => {
    const [line] = logged(`
      const error = Object.assign(new Error('it broke', { cause: new TypeError('because') }), { config: { headers: 'canary' } });
      logger.error({ err: error }, 'failed');`);
    expect(JSON.stringify(line)).not.toContain('canary');
    expect(line).toMatchObject({
      err: { type: 'Error', message: 'it broke', cause: { type: 'TypeError', message: 'because' } },
    });
  });

  it('has one line per event, whatever its text contains', () => {
    expect(logged(`logger.info({ supplier: 'two\\nlines \\u001b[31m' }, 'named');`)).toHaveLength(1);
  });
});
