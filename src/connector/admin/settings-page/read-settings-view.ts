import { Injectable } from '@nestjs/common';
import { ApiTokensService, type ApiToken } from '../../access/api-tokens.service.js';
import { MembersService, type Member } from '../../access/members.service.js';
import type { SetupStep } from '../../mapping/domain/setup-step.js';
import { MappingService } from '../../mapping/mapping.service.js';
import { InboxService } from '../../review/inbox.service.js';
import { toRowResponse, type InboxRowResponse } from '../inbox.dto.js';
import type { Principal } from '../principal.js';
import { ReadConnection, type ConnectionProgress } from '../read-connection.js';

const MOST_MEMBERS = 100;
const MOST_CAUSES = 10;

export interface SettingsView {
  readonly caller: Principal;
  readonly connection: ConnectionProgress;
  readonly steps: readonly SetupStep[];
  readonly causes: readonly InboxRowResponse[];
  readonly hasMoreCauses: boolean;
  /** All for an admin; for others themselves only. */
  readonly members: readonly Member[];
  readonly hasMoreMembers: boolean;
  /** Undefined for who may not see them. */
  readonly tokens: readonly ApiToken[] | undefined;
}

/** Gathers what the settings page shows. */
@Injectable()
export class ReadSettingsView {
  constructor(
    private readonly connections: ReadConnection,
    private readonly mapping: MappingService,
    private readonly inbox: InboxService,
    private readonly members: MembersService,
    private readonly tokens: ApiTokensService,
  ) {}

  async run(caller: Principal): Promise<SettingsView> {
    const { installationId } = caller;
    const connection = await this.connections.run(installationId);
    const causes = await this.inbox.list(installationId, 'open', undefined, MOST_CAUSES + 1);
    const members = await this.membersFor(caller);
    return {
      caller,
      connection,
      steps: await this.mapping.setup(installationId),
      causes: causes.slice(0, MOST_CAUSES).map(toRowResponse),
      hasMoreCauses: causes.length > MOST_CAUSES,
      members: members.slice(0, MOST_MEMBERS),
      hasMoreMembers: members.length > MOST_MEMBERS,
      tokens: caller.role === 'admin' ? await this.tokens.list(installationId) : undefined,
    };
  }

  /** As in the API, only admins see who the others are. */
  private async membersFor({ installationId, role, memberId }: Principal): Promise<readonly Member[]> {
    if (role === 'admin') {
      return this.members.list(installationId, undefined, MOST_MEMBERS + 1);
    }
    const own = memberId === undefined ? undefined : await this.members.find(installationId, memberId);
    return own === undefined ? [] : [own];
  }
}
