import { Module } from '@nestjs/common';
import { ApiTokenRepository } from './api-token.repository.js';
import { ApiTokensService } from './api-tokens.service.js';
import { ChangeMember } from './change-member.js';
import { ChooseLanguage } from './choose-language.js';
import { CreateApiToken } from './create-api-token.js';
import { SwitchInstallation } from './switch-installation.js';
import { MemberRepository } from './member.repository.js';
import { MemberReader } from './member.reader.js';
import { OperatorTokensService } from './operator-tokens.service.js';
import { OperatorSessionsService } from './operator-sessions.service.js';
import { SessionRepository } from './session.repository.js';
import { SessionsService } from './sessions.service.js';
import { SignIn } from './sign-in.js';

/** What other rooms may inject. */
const shared = [
  MemberRepository,
  SwitchInstallation,
  SignIn,
  ChangeMember,
  ChooseLanguage,
  CreateApiToken,
  SessionsService,
  MemberReader,
  ApiTokensService,
  OperatorSessionsService,
  OperatorTokensService,
];

@Module({
  providers: [...shared, SessionRepository, ApiTokenRepository],
  exports: [...shared],
})
export class AccessModule {}
