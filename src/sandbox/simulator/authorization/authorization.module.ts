import { Module } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { SimulatorStateRepository } from '../clock/simulator-state.repository.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { EmployeesModule } from '../employees/employees.module.js';
import { InstallationsModule } from '../installations/installations.module.js';
import { AccessTokens } from './access-tokens.js';
import { AuthenticateClient } from './authenticate-client.js';
import { AuthorizationServer } from './authorization-server.js';
import { ConsentController } from './consent.controller.js';
import { ConsentReader } from './consent.reader.js';
import { ConsentRepository } from './consent.repository.js';
import { IntrospectionController } from './introspection.controller.js';
import { OAuthClientRepository } from './oauth-client.repository.js';
import { OAuthRecordAdapters } from './oauth-record.adapter.js';
import { OAuthRecordsModule } from './oauth-records.module.js';
import { PersonReader } from './person.reader.js';
import { RecordConsent } from './record-consent.js';
import { RegisterClient } from './register-client.js';
import { ServerKeyStore } from './server-key-store.js';
import { TokenContents } from './token-contents.js';

/** The authorization server: consent, tokens, introspection (P3.1). */
@Module({
  imports: [CompaniesModule, EmployeesModule, InstallationsModule, OAuthRecordsModule],
  controllers: [ConsentController, IntrospectionController],
  providers: [
    AccessTokens,
    AuthenticateClient,
    AuthorizationServer,
    ConsentReader,
    ConsentRepository,
    OAuthClientRepository,
    OAuthRecordAdapters,
    PersonReader,
    RecordConsent,
    RegisterClient,
    TokenContents,
    {
      provide: ServerKeyStore,
      inject: [Database, SimulatorStateRepository],
      useFactory: (database: Database, states: SimulatorStateRepository) => ServerKeyStore.load(database, states),
    },
  ],
  exports: [AccessTokens, AuthorizationServer, RegisterClient],
})
export class AuthorizationModule {}
