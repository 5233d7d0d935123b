import { Body, Controller, HttpCode, Post, Res, UseFilters } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeEndpoint } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Access } from '../../../foundation/http/access.js';
import { ReadErpConnection } from '../../erp-connections/read-erp-connection.js';
import { SaveErpConnection, type WantedErpConnection } from '../../erp-connections/save-erp-connection.js';
import { BeginErpSignIn } from '../../erp-connections/sign-in/begin-erp-sign-in.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { InteractivePlatformRequest } from '../http/interactive-platform-request.interceptor.js';
import { BEGIN_ERP_SIGN_IN, SAVE_ERP_CONNECTION, successOf } from '../http/outcome-problems.js';
import { Caller, type Principal } from '../http/principal.js';
import { RecentSignIn } from '../http/recent-sign-in.js';
import { settingsOfForm } from './erp-form-fields.js';
import { messagePage, SETTINGS_PATH } from './settings-layout.js';
import { SettingsPageFilter } from './settings-page.filter.js';

const HTML = 'text/html; charset=utf-8';
/** Lists of an ERP without an interface are pasted into the form. */
const FORM_BYTES = 1_048_576;

/** Connects an accounting system from the settings page: with what the form says, or by a sign-in there. */
@UseFilters(SettingsPageFilter)
@Controller('settings/erp-connection')
export class SettingsErpController {
  constructor(
    private readonly readErpConnection: ReadErpConnection,
    private readonly saveErpConnection: SaveErpConnection,
    private readonly beginErpSignIn: BeginErpSignIn,
  ) {}

  @Post()
  @RouteConfig({ formBody: true, bodyLimit: FORM_BYTES })
  @Access('admin')
  @RecentSignIn()
  @InteractivePlatformRequest()
  @ApiExcludeEndpoint()
  async connect(
    @Caller() { installationId, name }: Principal,
    @Body() form: object,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const saved = await this.saveErpConnection.connect(installationId, await this.wantedBy(installationId, form), name);
    successOf(saved, ['connected'], SAVE_ERP_CONNECTION);
    await reply.redirect(`${SETTINGS_PATH}#erp`, 303);
  }

  /** A page with a link: a form of ours may lead to no other site (`form-action` of the content security policy). */
  @Post('sign-in')
  @HttpCode(200)
  @RouteConfig({ formBody: true, bodyLimit: FORM_BYTES })
  @Access('admin')
  @RecentSignIn()
  @InteractivePlatformRequest()
  @ApiExcludeEndpoint()
  async signIn(
    @Caller() { installationId, memberId }: Principal,
    @Body() form: object,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const wanted = await this.wantedBy(installationId, form);
    const begun = await this.beginErpSignIn.begin(installationId, wanted, memberId);
    const { signInUrl } = successOf(begun, ['begun'], BEGIN_ERP_SIGN_IN);
    const text = `You sign in at ${new URL(signInUrl).host}, and come back here. That has to be done within ten minutes, in this browser.`;
    const page = messagePage('Sign in at the accounting system', text, 'Go to the sign-in', signInUrl);
    await reply.header('cache-control', 'no-store').type(HTML).send(page);
  }

  private async wantedBy(installationId: InstallationId, form: object): Promise<WantedErpConnection> {
    const fields = textsOf(form);
    const kind = fields['kind'] ?? '';
    const known = this.readErpConnection.listKinds().find((each) => each.kind === kind);
    const current = await this.readErpConnection.read(installationId);
    const kept = current?.connection.kind === kind ? current.connection.settings : {};
    const settings = known === undefined ? {} : settingsOfForm(known, fields, kept);
    return { kind, settings, isChangeConfirmed: fields['confirmChange'] === 'true' };
  }
}

/** The fields that the kind's schema names, and the form's own: no class can list them. */
function textsOf(form: object): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(Object(form) as object).filter(([, value]) => typeof value === 'string'));
}
