import { beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, Post, type DynamicModule } from '@nestjs/common';
import { AppModule } from '../../../../src/connector/app.module.js';
import { loadConnectorConfig, type ConnectorProgram } from '../../../../src/connector/connector-config.js';
import { Access } from '../../../../src/foundation/http/access.js';
import { createHttpProgram } from '../../../../src/foundation/http/http-program.js';
import { createLogger } from '../../../../src/foundation/logging/logger.js';
import { createTestDatabase, databaseVariables } from '../../../support/test-database.js';
import { startedOnce } from '../../../support/started-once.js';

// Deny by default, at start (S3).

@Controller('forgotten')
class ForgottenController {
  @Get()
  @Access('viewer')
  declared(): void {
    // Says who may call it.
  }

  @Post(':id/things')
  forgotten(): void {
    // Does not.
  }
}

@Access('admin')
@Controller('declared')
class DeclaredController {
  @Get()
  inherited(): void {
    // Its controller says so.
  }
}

@Module({})
class ForgetfulModule {
  static register(program: ConnectorProgram, controllers: DynamicModule['controllers']): DynamicModule {
    return {
      module: ForgetfulModule,
      imports: [AppModule.register(program)],
      controllers: controllers ?? [],
    };
  }
}

const server = startedOnce(createTestDatabase);
let program: ConnectorProgram;
const logger = createLogger('connector-test', { LOG_LEVEL: 'silent', LOG_FORMAT: 'json' });

beforeAll(() => {
  const config = loadConnectorConfig({ ...databaseVariables(server.url), LOG_LEVEL: 'silent' });
  program = { config, logger, role: 'api' };
});

const start = async (...controllers: NonNullable<DynamicModule['controllers']>) => {
  const app = await createHttpProgram({
    module: ForgetfulModule.register(program, controllers),
    logger,
    plugins: () => [],
    bodyLimit: 1_024,
    openApi: { title: 'x', description: '', path: 'api/docs', jsonPath: 'api/openapi.json' },
  });
  try {
    await app.init();
  } finally {
    await app.close();
  }
};

describe('a program', () => {
  it('with a route without declared access does not start, and names the route', async () => {
    await expect(start(ForgottenController)).rejects.toThrow(/^routes without @Access: POST \/forgotten\/:id\/things$/);
  });

  it('with declared access on every route starts', async () => {
    await expect(start(DeclaredController)).resolves.toBeUndefined();
  });
});
