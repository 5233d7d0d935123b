// Writes the OpenAPI document of the built connector, without a database: `write-api-document.mjs <file>`.
import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { withNullableSchemas } from '../build/foundation/http/nullable-schemas.js';
import { createLogger } from '../build/foundation/logging/logger.js';
import { ConnectorSite } from '../build/connector/access/connector-site.js';
import { completeApiDocument } from '../build/connector/api/documentation/api-document.js';
import { AppModule } from '../build/connector/app.module.js';
import { loadConnectorConfig } from '../build/connector/connector-config.js';

const [, , path = ''] = process.argv;
// A preview makes no instance: only the decorators of the controllers are read.
const config = loadConnectorConfig({});
const logger = createLogger('write-api-document', config.logging);
const app = await NestFactory.create(AppModule.register({ config, logger, role: 'api' }), new FastifyAdapter(), {
  preview: true,
  logger: false,
  abortOnError: false,
});
const description = new DocumentBuilder().setTitle('ERP export connector').setVersion('1').addBearerAuth().build();
const document = withNullableSchemas(SwaggerModule.createDocument(app, description));
await writeFile(path, JSON.stringify(completeApiDocument(document, new ConnectorSite(config.publicUrl).cookieName)));
