import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { mayImport, openRooms } from '../../.architecture.js';
import type { TaskDefinition } from '../../src/connector/tasks/task-definition.js';
import { TASKS } from '../../src/connector/task-handlers.js';

const folders = (path: string) =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);

describe('the table of allowed imports', () => {
  it('has a row for each room and a room for each row', () => {
    const rooms = [
      ...folders('src').filter((name) => name !== 'connector' && name !== 'sandbox'),
      ...['connector', 'sandbox'].flatMap((part) => folders(join('src', part)).map((name) => `${part}/${name}`)),
    ];
    expect(Object.keys(mayImport).sort()).toEqual(rooms.sort());
  });

  it('names rooms that exist only', () => {
    for (const room of [...Object.values(mayImport).flat(), ...openRooms]) {
      expect({ room, exists: existsSync(join('src', room)) }).toEqual({ room, exists: true });
    }
  });
});

const MAX_FILES_IN_A_FOLDER = 25;

describe('folders', () => {
  it.each(['src', 'test', 'bench', 'migrations', 'docs', 'web/pages', 'web/parts', 'web/operator', 'web/shell'])(
    'below %s have at most 25 files each',
    (top) => {
      const crowded = [
        top,
        ...readdirSync(top, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map((entry) => join(entry.parentPath, entry.name)),
      ]
        .map((folder) => ({
          folder,
          files: readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()).length,
        }))
        .filter(({ files }) => files > MAX_FILES_IN_A_FOLDER);
      expect(crowded).toEqual([]);
    },
  );
});

describe('the table of tasks', () => {
  const kinds = TASKS.map(({ kind }) => kind);

  it('has one row for each kind', () => {
    expect(new Set(kinds).size).toBe(kinds.length);
  });

  it('has a row for every task that a feature defines', async () => {
    const files = readdirSync('src/connector', { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.tasks.ts'),
    );
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const exported = (await import(join('../../src/connector', file.replace(/ts$/, 'js')))) as object;
      const definitions = Object.values(exported).flatMap(
        (value: object) => ('kind' in value ? [value] : Object.values(value)) as TaskDefinition<object>[],
      );
      expect(kinds).toEqual(expect.arrayContaining(definitions.map(({ kind }) => kind)));
    }
  });
});
