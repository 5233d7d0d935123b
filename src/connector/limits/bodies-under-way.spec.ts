import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toInstallationId } from '../../kernel/ids.js';
import { BodiesUnderWay } from './bodies-under-way.js';

const MEGABYTE = 1_024 * 1_024;

it('of all installations together, bodies of 64 MB are under way in a process; each that ends makes room [S47]', () => {
  const bodiesUnderWay = new BodiesUnderWay();
  const begin = (installation: number, bytes: number) => {
    const response = new EventEmitter();
    const request = { headers: { 'content-length': bytes.toString() }, routeOptions: { bodyLimit: 16 * MEGABYTE } };
    bodiesUnderWay.begin(
      request as unknown as FastifyRequest,
      { raw: response } as unknown as FastifyReply,
      toInstallationId(`00000000-0000-4000-8000-00000000000${installation.toString()}`),
    );
    return response;
  };
  const [first] = [1, 2, 3, 4].map((installation) => begin(installation, 16 * MEGABYTE));
  expect(() => begin(5, 1)).toThrow('Too much is being sent at the same time.');
  first?.emit('close');
  begin(5, 16 * MEGABYTE);
  expect(() => begin(1, 1)).toThrow('Too much is being sent at the same time.');
});
