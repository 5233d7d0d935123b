// Compiles src into dist as nest-cli.json says, when anything it is made of has changed. `npm start` has the compiler only, none of the
// command lines around it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { transformFile } from '@swc/core';
import { filesOf, isBuiltFrom, markBuilt } from './built-from.mjs';

const DIST = 'dist';
const { sourceRoot } = JSON.parse(readFileSync('nest-cli.json', 'utf8'));
const sources = filesOf(sourceRoot).filter((path) => !/\.spec\.tsx?$/.test(path));
const mark = { file: join(DIST, '.built-from'), paths: [...sources, 'nest-cli.json', '.swcrc', 'package-lock.json'] };

if (!isBuiltFrom(mark)) {
  rmSync(DIST, { recursive: true, force: true });
  await Promise.all(sources.map(compile));
  markBuilt(mark);
}

async function compile(path) {
  const output = join(DIST, relative(sourceRoot, path)).replace(/\.tsx?$/, '.js');
  mkdirSync(dirname(output), { recursive: true });
  if (!/\.tsx?$/.test(path)) {
    await copyFile(path, output);
    return;
  }
  const { code, map } = await transformFile(path, { swcrc: true, sourceFileName: relative(dirname(output), path) });
  writeFileSync(output, `${code}\n//# sourceMappingURL=${basename(output)}.map\n`);
  writeFileSync(`${output}.map`, map);
}
