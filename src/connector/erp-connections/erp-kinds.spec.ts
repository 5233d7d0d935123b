import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '../../foundation/config/load-config.js';
import type { ErpDefinition } from '../erp/kit/define-erp.js';
import { filesErp } from '../erp/files/files.erp.js';
import { ledger } from '../erp/ledger/ledger.erp.js';
import { tryton } from '../erp/tryton/tryton.erp.js';
import { ErpKinds, loadErpKinds } from './erp-kinds.js';

const definition = (more: Partial<ErpDefinition> = {}): ErpDefinition =>
  ({
    id: 'acme',
    name: 'Acme Books',
    apiVersion: 1,
    connection: {
      schema: {
        type: 'object',
        required: ['url'],
        additionalProperties: false,
        properties: { url: { type: 'string', format: 'uri' }, size: { type: 'integer', maximum: 3 } },
      },
      secrets: [],
    },
    ...more,
  }) as ErpDefinition;

describe('the kinds of ERPs', () => {
  it.each<[string, readonly ErpDefinition[], string]>([
    [
      'another version of the kit',
      [definition({ apiVersion: 2 as never })],
      'was written for version 2 of the adapter kit',
    ],
    ['two adapters with one id', [definition(), definition()], 'the id "acme" of an adapter is taken'],
    ['an id that is none', [definition({ id: 'Acme!' })], 'the id "Acme!"'],
  ])('refuse %s', (_, definitions, text) => {
    expect(() => new ErpKinds(definitions)).toThrow(text);
  });

  it.each<[string, object, string]>([
    [
      'a text in another language that is none',
      { type: 'object', translations: { de: { titel: 'Größe' } } },
      'keyword "translations" value is invalid',
    ],
    ['settings that are no schema', { type: 'objekt' }, 'need a JSON Schema (draft 2020-12): schema is invalid'],
  ])('refuse from outside %s, and keep nothing of it', (_, schema, text) => {
    const kinds = new ErpKinds([]);
    expect(kinds.add(definition({ connection: { schema, secrets: [] } as never }))).toContain(text);
    expect(kinds.list()).toEqual([]);
  });

  it.each([ledger, filesErp(undefined), tryton])('$id has settings that are described as those from outside', (own) => {
    expect(new ErpKinds([]).add(own)).toBeUndefined();
  });

  it.each<[string, string, Readonly<Record<string, string | number>>, readonly string[]]>([
    ['complete settings', 'acme', { url: 'https://acme.example' }, []],
    ['what is missing', 'acme', {}, ['/url is required']],
    ['what is not known', 'acme', { url: 'https://acme.example', more: 1 }, ['/more is not known']],
    [
      'an endless name that is not known',
      'acme',
      { url: 'https://acme.example', ['n'.repeat(200_000)]: 1 },
      [`/${'n'.repeat(60)}… is not known`],
    ],
    ['an address that is none', 'acme', { url: 'file:///etc/passwd' }, ['/url is no address (https://…)']],
    ['two problems', 'acme', { size: 4 }, ['/url is required', '/size must be <= 3']],
    ['an unknown kind', 'other', {}, ['/kind there is no accounting system of the kind "other"']],
  ])('validate %s', (_, kind, settings, expected) => {
    const problems = new ErpKinds([definition()]).problemsOf(kind, settings);
    expect(problems.map(({ pointer, detail }) => `${pointer} ${detail}`)).toEqual(expected);
  });
});

describe('adapters named in the configuration', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'adapters-'));
    const adapter = `export const acme = { id: 'acme', name: 'Acme', apiVersion: 1,
      connection: { schema: { type: 'object' }, secrets: [] }, capabilities() {}, systemOf() {}, create() {} };`;
    await writeFile(join(folder, 'acme.mjs'), adapter);
    await writeFile(join(folder, 'acme.cjs'), adapter.replace('export const acme', 'module.exports'));
    await writeFile(join(folder, 'later.mjs'), adapter.replace('apiVersion: 1', 'apiVersion: 2'));
    await writeFile(join(folder, 'schema.mjs'), adapter.replace("'object'", "'no type'"));
    await writeFile(join(folder, 'nothing.mjs'), 'export const word = 1;');
    await writeFile(join(folder, 'half.mjs'), "export const half = { id: 'half', apiVersion: 1, connection: null };");
    await writeFile(join(folder, 'broken.mjs'), 'throw new Error("it fell over\\nand over");');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each(['./acme.mjs', './acme.cjs'])('are loaded from a path outside of the repository: %s', async (name) => {
    const kinds = await loadErpKinds([], [name], folder);
    expect(kinds.list().map(({ id, name }) => [id, name])).toEqual([['acme', 'Acme']]);
  });

  it.each([
    ['./nothing.mjs', 'it exports no adapter made by defineErp'],
    ['./half.mjs', 'it exports no adapter made by defineErp'],
    ['./broken.mjs', 'it fell over'],
    ['./absent.mjs', 'absent.mjs'],
    ['@missing/erp-nothing', 'needs a package that is installed here'],
    ['./later.mjs', 'the adapter acme was written for version 2 of the adapter kit'],
    ['./schema.mjs', 'the settings of the adapter acme need a JSON Schema'],
  ])('are a problem of the configuration: %s', async (name, text) => {
    const refused = await loadErpKinds([], [name], folder).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConfigurationError);
    const { problems } = refused as ConfigurationError;
    expect(problems).toEqual([expect.stringMatching(/^CONNECTOR_ERP_ADAPTERS: ".*": .*$/)]);
    expect(problems[0]).toContain(`"${name}"`);
    expect(problems[0]).toContain(text);
  });

  it('are reported all at once, one that takes the id of another with the other', async () => {
    const loading = loadErpKinds([definition()], ['./absent.mjs', './acme.mjs', './nothing.mjs'], folder);
    await expect(loading).rejects.toMatchObject({
      problems: [
        expect.stringContaining('"./absent.mjs": cannot be loaded, needs a module at '),
        'CONNECTOR_ERP_ADAPTERS: "./acme.mjs": the id "acme" of an adapter is taken by "Acme Books": leave one of the two out, or give this one another id',
        expect.stringContaining('"./nothing.mjs": it exports no adapter'),
      ],
    });
  });
});
