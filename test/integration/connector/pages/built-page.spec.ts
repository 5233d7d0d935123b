import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { BuiltPage } from '../../../../src/connector/api/app-page/built-page.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'built-page-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function build(html: string, at: string): Promise<void> {
  await writeFile(join(folder, 'index.html'), html);
  await utimes(join(folder, 'index.html'), new Date(at), new Date(at));
}

async function sentBy(page: BuiltPage): Promise<string> {
  let sent = '';
  const reply = {
    headers: () => reply,
    type: () => reply,
    send: (html: string) => {
      sent = html;
    },
  };
  await page.send(reply as unknown as FastifyReply);
  return sent;
}

it('a page that is built anew under a running server names the scripts of the new build', async () => {
  const page = new BuiltPage('index.html', folder);
  await expect(sentBy(page)).rejects.toThrow('not built');
  await build('<script src="/app/assets/old.js">', '2026-03-01T10:00:00Z');
  expect(await sentBy(page)).toContain('old.js');
  await build('<script src="/app/assets/new.js">', '2026-03-01T11:00:00Z');
  expect(await sentBy(page)).toContain('new.js');
});
