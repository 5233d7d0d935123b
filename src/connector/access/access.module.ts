import { Module } from '@nestjs/common';
import { ApiTokenRepository } from './api-token.repository.js';
import { ApiTokensService } from './api-tokens.service.js';
import { ChangeMember } from './change-member.js';
import { CreateApiToken } from './create-api-token.js';
import { MemberRepository } from './member.repository.js';
import { MembersService } from './members.service.js';
import { SessionRepository } from './session.repository.js';
import { SessionsService } from './sessions.service.js';
import { SignIn } from './sign-in.js';

@Module({
  providers: [
    MemberRepository,
    SessionRepository,
    ApiTokenRepository,
    SignIn,
    ChangeMember,
    CreateApiToken,
    SessionsService,
    MembersService,
    ApiTokensService,
  ],
  exports: [SessionsService, MembersService, ApiTokensService],
})
export class AccessModule {}
