import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toInstallationId } from '../../kernel/ids.js';
import { BodiesUnderWay } from './bodies-under-way.js';

const MEGABYTE = 1_024 * 1_024;

/** A request whose body is under way, as the plugin sees it. */
function begun(bodiesUnderWay: BodiesUnderWay, installation: number, bytes: number) {
  const raw = { complete: false };
  const response = new EventEmitter();
  const headers = { 'content-length': bytes.toString() };
  const request = { raw, headers, routeOptions: { bodyLimit: 16 * MEGABYTE } } as unknown as FastifyRequest;
  const reply = { raw: response } as unknown as FastifyReply;
  const id = toInstallationId(`00000000-0000-4000-8000-00000000000${installation.toString()}`);
  bodiesUnderWay.begin(request, reply, id);
  return {
    arrive: () => (raw.complete = true),
    respond: () => {
      bodiesUnderWay.handled(reply);
    },
    close: () => response.emit('close'),
  };
}

const TOO_MUCH = 'Too much is being sent at the same time.';

it('of all installations together, bodies of 64 MB are under way in a process; each that ends makes room [S47]', () => {
  const bodiesUnderWay = new BodiesUnderWay();
  const begin = (installation: number, bytes: number) => begun(bodiesUnderWay, installation, bytes);
  const [first] = [1, 2, 3, 4].map((installation) => begin(installation, 16 * MEGABYTE));
  expect(() => begin(5, 1)).toThrow(TOO_MUCH);
  first?.close();
  begin(5, 16 * MEGABYTE);
  expect(() => begin(1, 1)).toThrow(TOO_MUCH);
});

it('a body that is worked on is under way until that has ended, also when its caller has gone [S47]', () => {
  const bodiesUnderWay = new BodiesUnderWay();
  const left = begun(bodiesUnderWay, 1, 16 * MEGABYTE);
  left.arrive();
  left.close();
  expect(() => begun(bodiesUnderWay, 1, 1)).toThrow(TOO_MUCH);
  left.respond();
  const answered = begun(bodiesUnderWay, 1, 16 * MEGABYTE);
  answered.arrive();
  answered.respond();
  expect(() => begun(bodiesUnderWay, 1, 1)).toThrow(TOO_MUCH);
  answered.close();
  // Neither made room twice.
  begun(bodiesUnderWay, 1, 16 * MEGABYTE);
  expect(() => begun(bodiesUnderWay, 1, 1)).toThrow(TOO_MUCH);
});
