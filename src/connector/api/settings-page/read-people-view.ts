import { Injectable } from '@nestjs/common';
import type { ApiToken } from '../../access/api-token.repository.js';
import { ApiTokensService } from '../../access/api-tokens.service.js';
import { MemberReader, type Member } from '../../access/member.reader.js';
import type { OwnSession } from '../../access/session.repository.js';
import { SessionsService } from '../../access/sessions.service.js';
import type { Principal } from '../http/principal.js';

const MAX_MEMBERS = 100;

export interface PeopleView {
  /** All of them for an admin; for others only the caller. */
  readonly members: readonly Member[];
  readonly hasMoreMembers: boolean;
  readonly hasAdmin: boolean;
  /** The caller's own. */
  readonly sessions: readonly OwnSession[];
  /** Undefined for callers that are no admins. */
  readonly tokens: readonly ApiToken[] | undefined;
}

/** Reads what the settings page shows of people, their sign-ins and tokens. */
@Injectable()
export class ReadPeopleView {
  constructor(
    private readonly memberReader: MemberReader,
    private readonly apiTokensService: ApiTokensService,
    private readonly sessionsService: SessionsService,
  ) {}

  /** @param sessionId of the request */
  async readView(caller: Principal, sessionId: string | undefined): Promise<PeopleView> {
    const { installationId, role, memberId } = caller;
    const members = await this.membersFor(caller);
    return {
      members: members.slice(0, MAX_MEMBERS),
      hasMoreMembers: members.length > MAX_MEMBERS,
      hasAdmin: await this.memberReader.hasAdmin(installationId),
      sessions: await this.sessionsService.list(installationId, memberId, sessionId),
      tokens: role === 'admin' ? await this.apiTokensService.list(installationId) : undefined,
    };
  }

  /** As in the API, only admins see other members. */
  private async membersFor({ installationId, role, memberId }: Principal): Promise<readonly Member[]> {
    if (role === 'admin') {
      return this.memberReader.list(installationId, undefined, MAX_MEMBERS + 1);
    }
    const own = memberId === undefined ? undefined : await this.memberReader.find(installationId, memberId);
    return own === undefined ? [] : [own];
  }
}
