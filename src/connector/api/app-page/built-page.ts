import { randomBytes } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { FastifyReply } from 'fastify';
import { message } from '../../../kernel/message.js';
import { problem } from '../http/problems.js';
import { APP_DIST } from './app-files.plugin.js';

/** Placeholder for the nonce in the built page. */
const NONCE = '__NONCE__';

/** A page that `npm run build:web` has built. */
export class BuiltPage {
  private known: { readonly builtAt: number; readonly html: string } | undefined;

  /**
   * @param file within the folder of the build
   * @param folder of the build
   */
  constructor(
    private readonly file: string,
    private readonly folder = APP_DIST,
  ) {}

  /** @throws Problem 404 where it is not built */
  async send(reply: FastifyReply): Promise<void> {
    const html = await this.read().catch(() => undefined);
    if (html === undefined) {
      throw problem('not-found', message('problem.not-found.page'));
    }
    const nonce = randomBytes(16).toString('base64');
    await reply
      .headers({ 'cache-control': 'no-cache', 'content-security-policy': policyWith(nonce) })
      .type('text/html; charset=utf-8')
      .send(html.replaceAll(NONCE, nonce));
  }

  /** Anew once it was built anew: the page of an earlier build names scripts that are not there any more, and stays blank. */
  private async read(): Promise<string> {
    const path = `${this.folder}/${this.file}`;
    const { mtimeMs: builtAt } = await stat(path);
    if (this.known?.builtAt !== builtAt) {
      this.known = { builtAt, html: await readFile(path, 'utf8') };
    }
    return this.known.html;
  }
}

/**
 * Scripts and pictures are files of our own. The library of the page writes three style elements at run time (colors of the
 * scheme, widths of a grid, the locked scroll bar behind a dialog): they carry the nonce; there is no `unsafe-inline`.
 */
function policyWith(nonce: string): string {
  return [
    `default-src 'none'`,
    `base-uri 'none'`,
    `connect-src 'self'`,
    `font-src 'self'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `img-src 'self'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
  ].join('; ');
}
