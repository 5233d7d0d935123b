import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { message } from '../../../kernel/message.js';
import { SettingsSite } from '../../access/settings-site.service.js';
import { BeginAuthorization } from '../../installations/connect/begin-authorization.js';
import { problem } from '../http/problems.js';
import { AppSignInQuery } from './app-page.dto.js';
import { APP_DIST } from './app-files.plugin.js';

/** Stands in the built page where the nonce of a response belongs. */
const NONCE = '__NONCE__';

/**
 * The page for people. What it is made of is the same for everybody and holds no data: it is served without a session, and
 * reads everything by `/api/v1`.
 */
@ApiExcludeController()
@Controller('app')
export class AppPageController {
  private html: Promise<string> | undefined;

  constructor(
    private readonly beginAuthorization: BeginAuthorization,
    private readonly settingsSite: SettingsSite,
  ) {}

  /** Begins a sign-in that ends at the page it was begun from. */
  @Get('sign-in')
  @Access('public')
  async signIn(
    @Req() request: FastifyRequest,
    @Query() { to, again }: AppSignInQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const begun = await this.beginAuthorization.begin(again === undefined ? 'sign-in' : 'sign-in-again', request.ip);
    if (begun === undefined) {
      const detail = message('problem.too-many-attempts.detail');
      throw problem('too-many-attempts', detail, { headers: { 'retry-after': '600' } });
    }
    const cookies = [begun.cookie, this.settingsSite.returnCookieHeader(to ?? '/app')];
    await reply.headers({ 'set-cookie': cookies, 'cache-control': 'no-store' }).redirect(begun.location, 302);
  }

  /** Every address of the page is the same file: its router reads the address. */
  @Get(['', '*'])
  @Access('public')
  async show(@Res() reply: FastifyReply): Promise<void> {
    this.html ??= readFile(`${APP_DIST}/index.html`, 'utf8');
    const html = await this.html.catch(() => undefined);
    if (html === undefined) {
      this.html = undefined;
      throw problem('not-found', message('problem.not-found.page'));
    }
    const nonce = randomBytes(16).toString('base64');
    await reply
      .headers({ 'cache-control': 'no-cache', 'content-security-policy': policyWith(nonce) })
      .type('text/html; charset=utf-8')
      .send(html.replaceAll(NONCE, nonce));
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
