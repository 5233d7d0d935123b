import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { NODE_FLAGS } from '../../src/sandbox/launch/child-program.js';

// What a container may take and do at most. The file is read as text: a service has its limits from `x-program`, or names
// every one of them.

const compose = readFileSync('docker-compose.yml', 'utf8');
const dockerfile = readFileSync('Dockerfile', 'utf8');

/** Blocks of a mapping, by key: the lines below it that are indented deeper. */
function blocksOf(text: string, indent: string): ReadonlyMap<string, string> {
  const blocks = text.split(new RegExp(`^(?=${indent}[a-z][\\w-]*:)`, 'm')).slice(1);
  return new Map(blocks.map((block) => [block.trim().split(':', 1)[0] ?? '', block]));
}

const top = blocksOf(compose, '');
const services = [...blocksOf(top.get('services') ?? '', '  ')];
const LIMITS = [/mem_limit: \S+/, /pids_limit: \d+/, /cap_drop: \[ALL\]/, /no-new-privileges:true/];

const megabytesOf = (text: string, form: RegExp) => Number(form.exec(text)?.[1]);

it('services are found', () => {
  expect(services.map(([name]) => name).toSorted()).toEqual([
    ...['connector-api', 'connector-intake', 'connector-worker', 'ledger', 'login', 'migrate', 'postgres'],
    ...['sandbox-migrate', 'simulator'],
  ]);
});

describe('every container', () => {
  it('of a program has the common limits and a read-only root file system', () => {
    const program = top.get('x-program') ?? '';
    expect([...LIMITS, /read_only: true/].filter((limit) => !limit.test(program))).toEqual([]);
    expect(top.get('x-connector')).toContain('<<: *program\n');
  });

  it('of a program has an init process: the first process of a container is ended by no signal that it does not take', () => {
    expect(top.get('x-program')).toContain('\n  init: true\n');
  });

  it.each(services)('%s', (_, service) => {
    const merged = /^ {4}<<: \*(connector|program)$/m.test(service);
    expect(LIMITS.filter((limit) => !merged && !limit.test(service))).toEqual([]);
    // A merged limit is overridden by nothing.
    expect(merged && /read_only: false|privileged: true|mem_limit|pids_limit|cap_add|security_opt/.test(service)).toBe(
      false,
    );
  });
});

describe('the environment of the programs', () => {
  /** Set otherwise in compose, or left out on purpose. */
  const NOT_PASSED_ON = [
    // The database is one container, without a pooler.
    'DATABASE_DIRECT_URL',
    'INTERNAL_PORT',
    // Of the service for webhooks alone.
    'CONNECTOR_SERVES',
    // Of the sandbox.
    'OPERATOR_TOKEN',
    'LEDGER_LEVEL',
    'LEDGER_KEY_LIFE_SECONDS',
    'LEDGER_SEARCH_LAG_SECONDS',
  ];

  it('passes on what an operator may set', () => {
    const [example = ''] = readFileSync('.env.example', 'utf8').split('# ------');
    const names = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);
    const connector = top.get('x-connector') ?? '';
    const passedOn = (name: string) => new RegExp(`^    ${name}(_FILE)?: `, 'm').test(connector);
    expect(names.filter((name) => !passedOn(name) && !NOT_PASSED_ON.includes(name))).toEqual([]);
  });

  it('has no secret in the arguments of a command, which every user on the host may read', () => {
    expect(compose.match(/^.*(?:-v \w+=|--\w+=).*\/run\/secrets.*$/gm) ?? []).toEqual([]);
  });
});

describe('the heap', () => {
  const heap = /--max-old-space-size=(?:\$\{HEAP_MB:-)?(\d+)/;

  it('is limited by the image and by each container of the connector to the same size', () => {
    const limits = dockerfile.match(/^ENV .*$/gm) ?? [];
    expect(limits).toHaveLength(2);
    expect(limits.map((line) => megabytesOf(line, heap))).toEqual([512, 512]);
    expect(megabytesOf(top.get('x-connector') ?? '', heap)).toBe(512);
  });

  it('has the same young generation in the image, in containers and under `npm start`', () => {
    const young = /--max-semi-space-size=(\d+)/;
    const places = [...(dockerfile.match(/^ENV .*$/gm) ?? []), top.get('x-connector') ?? '', NODE_FLAGS.join(' ')];
    expect(places.map((place) => megabytesOf(place, young))).toEqual([16, 16, 16, 16]);
  });

  it('leaves a third of the container for the rest: the programs need 62 MB beside it', () => {
    const container = megabytesOf(compose, /mem_limit: \$\{MEMORY_LIMIT:-(\d+)m\}/);
    expect(512 / container).toBeLessThanOrEqual(2 / 3);
  });
});

it('images run as a user without privileges', () => {
  for (const stage of dockerfile.split(/^FROM /m).filter((text) => /^CMD /m.test(text))) {
    expect(stage).toMatch(/^USER node$/m);
  }
});

describe('images from elsewhere', () => {
  const built = [...dockerfile.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, name]) => name);
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  const ofServices = [...compose.matchAll(/^ *image: (\S+)$/gm)].map(([, image]) => image);
  const from = [...bases, ...ofServices].filter((image) => !built.includes(image));

  it('have their full version and their digest', () => {
    expect(from).toHaveLength(5);
    expect(from.filter((image) => !/^[a-z]+:\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/.test(image ?? ''))).toEqual([]);
  });

  it('are one each of Node.js and PostgreSQL', () => {
    expect(new Set(from.map((image) => image?.split(':')[0]))).toEqual(new Set(['node', 'postgres']));
    expect(new Set(from).size).toBe(2);
  });
});
