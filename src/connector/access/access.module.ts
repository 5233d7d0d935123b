import { Module } from '@nestjs/common';
import { ApiTokenRepository } from './api-token.repository.js';
import { ApiTokensService } from './api-tokens.service.js';
import { ChangeMember } from './change-member.js';
import { CreateApiToken } from './create-api-token.js';
import { MemberRepository } from './member.repository.js';
import { MemberReader } from './member.reader.js';
import { OperatorTokensService } from './operator-tokens.service.js';
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
    MemberReader,
    ApiTokensService,
    OperatorTokensService,
  ],
  exports: [
    SignIn,
    ChangeMember,
    CreateApiToken,
    SessionsService,
    MemberReader,
    ApiTokensService,
    OperatorTokensService,
    MemberRepository,
  ],
})
export class AccessModule {}
