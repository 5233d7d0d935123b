import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, normalize } from 'node:path';

// Code, tests and documents refer to rules by id; docs/rules defines them. Nothing refers to a document that is elsewhere.

const RULES = join('docs', 'rules');
const READ = new Set(['.ts', '.tsx', '.mjs', '.js', '.sql', '.md', '.yml', '.example']);

interface Place {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const ID = /(?<![\w./%#&$'"-])(?:D[1-4]\.\d+|[BP]\d{1,2}(?:\.\d+)*|[ACFGHISV]\d{1,2})(?![\w%'"]|\.\d|-\w|\$)/g;

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && READ.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));

const files = [
  ...['src', 'test', 'docs', 'migrations', 'bench'].flatMap(filesBelow),
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', '.env.example', 'docker-compose.yml'].filter(
    (file) => existsSync(file),
  ),
];
const documents = files.filter((file) => file.endsWith('.md'));
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const textOf = (file: string): string => texts.get(file) ?? readFileSync(file, 'utf8');

/** The same text with its code blanked out, line by line, so that positions stay. */
const withoutCode = (markdown: string): string =>
  markdown
    .replace(/^```[\s\S]*?^```/gm, (block) => block.replace(/[^\n]/g, ' '))
    .replace(/`[^`\n]*`/g, (span) => ' '.repeat(span.length));

const linesOf = (file: string, text: string): readonly Place[] =>
  text.split('\n').map((each, index) => ({ file, line: index + 1, text: each }));

const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length;

const COMMENT: Readonly<Record<string, RegExp>> = {
  '.sql': /--(.*)$/,
  '.yml': /(?:^|\s)#(.*)$/,
  '.example': /^\s*#(.*)$/,
};
const CODE_COMMENT = /^\s*(?:\/\/|\/\*|\*)(.*)$|\s(?:\/\/|\/\*\*) (.*)$/;

/** The comments of a program, or a document's sentences: what may name a rule. Data may look alike and is left out. */
function prose(file: string): readonly Place[] {
  const text = textOf(file);
  if (file.endsWith('.md')) {
    // Of a link its words count; its target is looked at with the links.
    return linesOf(file, withoutCode(text).replace(/\]\([^)\n]*\)/g, ']'));
  }
  const comment = COMMENT[extname(file)] ?? CODE_COMMENT;
  return linesOf(file, text).flatMap((place) => {
    const found = comment.exec(place.text);
    return found === null ? [] : [{ ...place, text: (found[1] ?? found[2] ?? '').replace(/`[^`]*`/g, ' ') }];
  });
}

const TITLE = /(?:\b(?:it|test|describe)|[\])])\(\s*(['"`])((?:\\.|(?!\1)[^\\])*?)\1\s*,/g;
/** A cell of a table of cases that holds nothing else. */
const CELL = /(['"])((?:D[1-4]|[BP]\d{1,2})\.\d+(?:\.\d+)*)\1/g;

/** What tests are called, and the ids that their tables of cases put there. */
function titles(file: string): readonly Place[] {
  if (!file.endsWith('.spec.ts') && !file.endsWith('.clauses.ts')) {
    return [];
  }
  const text = textOf(file);
  return [TITLE, CELL].flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => ({
      file,
      line: lineAt(text, match.index),
      text: match[2] ?? '',
    })),
  );
}

const anchorOf = (id: string): string => id.toLowerCase().replaceAll('.', '-');
const anchorsIn = (text: string): readonly string[] =>
  [...text.matchAll(/<a (?:id|name)="([^"]+)">/g)].map(([, anchor = '']) => anchor);

/** Anchors of a document as GitHub makes them: of headings, and those that are written. */
function anchors(file: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const text = textOf(file);
  const headings = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} +(.+?) *$/gm)].map(
    ([, heading = '']) => {
      const slug = heading
        .replace(/<[^>]*>/g, '')
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-');
      const before = seen.get(slug) ?? 0;
      seen.set(slug, before + 1);
      return before === 0 ? slug : `${slug}-${before.toString()}`;
    },
  );
  return new Set([...headings, ...anchorsIn(text)]);
}

const say = ({ file, line, text }: Place): string => `${file}:${line.toString()} ${text}`;

const defined = new Set(documents.filter((file) => file.startsWith(RULES)).flatMap((file) => anchorsIn(textOf(file))));

const idsIn = (place: Place): readonly Place[] => [...place.text.matchAll(ID)].map(([id]) => ({ ...place, text: id }));

describe('the rules', () => {
  const ids = [...defined].filter((anchor) => /^[a-z]\d/.test(anchor));

  it('are defined once each', () => {
    const all = documents.filter((file) => file.startsWith(RULES)).flatMap((file) => anchorsIn(textOf(file)));
    expect(all.filter((anchor, index) => all.indexOf(anchor) !== index)).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['i1', 'i42', 's1', 's75', 'd1-48', 'd2-26', 'd3-38', 'd4-30']));
  });

  it('exist for every id that a comment, a test title or a document cites', () => {
    const cited = files.flatMap((file) => [...prose(file), ...titles(file)]).flatMap(idsIn);
    expect(cited.length).toBeGreaterThan(ids.length);
    expect(cited.filter(({ text }) => !defined.has(anchorOf(text))).map(say)).toEqual([]);
  });

  it('are recognized as ids in prose, and not in data', () => {
    const found = (text: string) => idsIn({ file: '', line: 0, text }).map((place) => place.text);
    expect(found('after a crash (I17, S34), see D3.16 and B3.5.1; I1–I42 [P9.3]').join(' ')).toBe(
      'I17 S34 D3.16 B3.5.1 I1 I42 P9.3',
    );
    expect(found("'I25' A20-20-1 %C3 S256 d3.16 H1a https://a/B7 P-1 1.I3")).toEqual([]);
  });
});

// Each pattern is written so that it does not find itself.
const ELSEWHERE = [
  /wire-fact[s]/i,
  /integration-api\.m[d]/,
  /\b(?:reliability|bookkeeping|connector|peers)(?:\.md)? ?§/i,
  /\bspec: (?:reliability|bookkeeping|connector|peers)/,
  /\breliability (?:[IGS]\d)/i,
  /(?<![\w./*-])(?:spec|design)\/[a-z]/,
  /\bpeers\.m[d]/,
  /\.\.\/share[d]/,
  /A\d+×[A-Z]\d/,
];
/** A section belongs to a public standard or law that is named before it. */
const SECTION = /(?<!\b(?:RFC|ASVS|ISO|IEC|OWASP|W3C|HGB|AO|UStG|ECMA)\b.{0,60})§/;

describe('a document that is not in the repository', () => {
  it('is never named', () => {
    const found = files
      .flatMap((file) => linesOf(file, textOf(file)))
      .filter(({ text }) => ELSEWHERE.some((pattern) => pattern.test(text)))
      .map((place) => say({ ...place, text: place.text.trim().slice(0, 120) }));
    expect(found).toEqual([]);
  });

  it('has no section that is cited, unless it is a public standard', () => {
    const found = files
      .flatMap(prose)
      .filter(({ text }) => SECTION.test(text))
      .map((place) => say({ ...place, text: place.text.trim().slice(0, 120) }));
    expect(found).toEqual([]);
  });
});

describe('a file that is named as code', () => {
  /** `run/end-job.ts`, `kill-api.spec`: the end of a path, with or without the last extension of a test. */
  const FILE = /`((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|mjs|sql|spec))`/g;
  const paths = ['.architecture.js', ...files, ...filesBelow('web'), ...filesBelow('.tools')].map((path) => `/${path}`);

  it('is in the repository', () => {
    const named = files.flatMap((file) =>
      linesOf(file, textOf(file))
        .filter(({ text }) => file.endsWith('.md') || CODE_COMMENT.test(text))
        .flatMap((place) => [...place.text.matchAll(FILE)].map(([, path = '']) => ({ ...place, text: path }))),
    );
    expect(named.length).toBeGreaterThan(50);
    const missing = named.filter(({ text }) => {
      const end = `/${text.replace(/^(?:\.\.?\/)+/, '').replace(/\.spec$/, '.spec.ts')}`;
      return !paths.some((path) => path.endsWith(end));
    });
    expect(missing.map(say)).toEqual([]);
  });
});

describe('the database and the API as documents name them', () => {
  const named = (pattern: RegExp) =>
    documents.flatMap((file) =>
      linesOf(file, textOf(file)).flatMap((place) =>
        [...place.text.matchAll(pattern)].map(([, text = '']) => ({ ...place, text })),
      ),
    );

  it('have every key, index and check that is named', () => {
    const constraints = named(/`([a-z_]+_(?:pk|uq|fk|ck|ix))`/g);
    const schema = filesBelow('migrations').map(textOf).join('\n');
    expect(constraints.length).toBeGreaterThan(10);
    expect(constraints.filter(({ text }) => !new RegExp(`\\b${text}\\b`).test(schema)).map(say)).toEqual([]);
  });

  it('have every route that is named with its method and whole address', () => {
    const withoutNames = (address: string) => address.replace(/[:{]\w+\}?/g, '*');
    const routes = filesBelow(join('src', 'connector', 'api')).flatMap((file) =>
      textOf(file)
        .split(/(?=@Controller\()/)
        .flatMap((controller) => {
          const [, base = ''] = /^@Controller\([^)]*?'([^']*)'/.exec(controller) ?? [];
          return [...controller.matchAll(/^ {2}@(Get|Post|Put|Patch|Delete)\((?:'([^']*)')?/gm)].map(
            ([, method = '', path = '']) =>
              withoutNames(`${method.toUpperCase()} /${[base, path].filter((part) => part !== '').join('/')}`),
          );
        }),
    );
    const addresses = named(/`((?:GET|POST|PUT|PATCH|DELETE) \/api\/v1\/[^`?]+)/g);
    expect(addresses.length).toBeGreaterThan(20);
    expect(addresses.filter(({ text }) => !routes.includes(withoutNames(text))).map(say)).toEqual([]);
  });
});

describe('relative links of the documents', () => {
  const links = documents.flatMap((file) =>
    linesOf(file, withoutCode(textOf(file))).flatMap((place) =>
      // The words of a link may be code, which is blank here.
      [...place.text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ ...place, text: target })),
    ),
  );
  const relative = links.filter(({ text }) => !/^[a-z]+:/i.test(text));

  it('lead to files that exist', () => {
    expect(relative.length).toBeGreaterThan(0);
    const broken = relative.filter(({ file, text }) => {
      const [path = ''] = text.split('#');
      return path !== '' && !existsSync(join(dirname(file), decodeURI(path)));
    });
    expect(broken.map(say)).toEqual([]);
  });

  it('lead to headings and anchors that exist', () => {
    const known = new Map<string, ReadonlySet<string>>();
    const broken = relative.filter(({ file, text }) => {
      const [path = '', anchor] = text.split('#');
      const target = path === '' ? file : normalize(join(dirname(file), decodeURI(path)));
      if (anchor === undefined || !target.endsWith('.md') || !existsSync(target)) {
        return false;
      }
      const there = known.get(target) ?? anchors(target);
      known.set(target, there);
      return !there.has(anchor);
    });
    expect(broken.map(say)).toEqual([]);
  });
});
