// Which routes hand out an installation's data as a file, and what the audit log learns of each download.
import type { Readable } from 'node:stream';
import {
  applyDecorators,
  createParamDecorator,
  Injectable,
  SetMetadata,
  StreamableFile,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { concatMap, from, of, type Observable } from 'rxjs';
import { currentActor, onBehalfOf } from '../../../foundation/database/actor.js';
import { ACCESS, type AccessRequirement } from '../../../foundation/http/access.js';
import { invalidRequest } from '../../../foundation/http/validation.js';
import { valueCheck } from '../../../foundation/http/value-check.js';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import { Bug } from '../../../kernel/faults.js';
import { message } from '../../../kernel/message.js';
import { isUuid, toInstallationId, type InstallationId } from '../../../kernel/ids.js';
import { RecordDownload } from '../../audit/record-download.js';
import { findPrincipal } from '../http/principal.js';
import { problem } from '../http/problems.js';
import { DownloadRights } from './download-rights.js';
import { isStreamed } from './file-download.js';

export const DOWNLOAD = 'download';

/** Rows of a download, as its route or its stream counts them. */
export interface RowCount {
  count: number;
  /** The response is shown on a page and is no file: not recorded. */
  isShown?: boolean;
}

const rowCounts = new WeakMap<FastifyRequest, RowCount>();

export const OWNER = 'of which installation the file is meant; that of another one is refused';

/** For every route that serves a file: the caller is recorded, with address and number of rows. */
export const Download = (): MethodDecorator =>
  applyDecorators(
    SetMetadata(DOWNLOAD, true),
    ApiQuery({
      name: 'installationId',
      required: false,
      description: OWNER,
      schema: { type: 'string', format: 'uuid' },
    }),
  );

/** Parameter of a route with `@Download()`: where it counts what it hands out. */
export const Rows = createParamDecorator((_: unknown, context: ExecutionContext): RowCount => {
  const rows: RowCount = { count: 0 };
  rowCounts.set(context.switchToHttp().getRequest<FastifyRequest>(), rows);
  return rows;
});

/** Records each download, before its first byte and, where it is sent while it is read, at its end too. */
@Injectable()
export class DownloadInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly recordDownload: RecordDownload,
    private readonly downloadRights: DownloadRights,
    private readonly appLogger: AppLogger,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const isDownload = this.reflector.get(DOWNLOAD, context.getHandler()) === true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (isDownload) {
      assertMeant(request);
    }
    return next.handle().pipe(
      concatMap((response) => {
        if (response instanceof StreamableFile && !isDownload) {
          throw new Bug('a route hands out a file but is no @Download()');
        }
        return isDownload ? from(this.record(context, request, response)) : of(response);
      }),
    );
  }

  private async record(context: ExecutionContext, request: FastifyRequest, response: unknown): Promise<unknown> {
    const installationId = installationOf(request);
    const rows = rowCounts.get(request) ?? { count: 0 };
    if (rows.isShown === true) {
      return response;
    }
    const { method, ip: address, routeOptions } = request;
    const download = { route: `${method} ${routeOptions.url ?? ''}`, address };
    const stream = response instanceof StreamableFile && isStreamed(response) ? response.getStream() : undefined;
    const end = stream === undefined ? { rows: rows.count, complete: true } : undefined;
    try {
      const id = await this.recordDownload.recordStart(installationId, download, end);
      if (stream !== undefined) {
        this.recordAtEnd(installationId, id, stream, rows);
        this.downloadRights.watch(request, this.neededOf(context), stream);
      }
    } catch (error) {
      // It is no longer read, and what it holds has to be released.
      stream?.destroy();
      throw error;
    }
    return response;
  }

  private neededOf(context: ExecutionContext): AccessRequirement | undefined {
    return this.reflector.getAllAndOverride<AccessRequirement | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
  }

  private recordAtEnd(installationId: InstallationId, id: string, stream: Readable, rows: RowCount): void {
    const actor = currentActor();
    stream.once('close', () => {
      const end = { rows: rows.count, complete: stream.readableEnded };
      onBehalfOf(actor, () => this.recordDownload.recordEnd(installationId, id, end)).catch((error: unknown) => {
        this.appLogger.of('audit').error({ err: error, installationId, ...end }, 'download.end_not_recorded');
      });
    });
  }
}

/** A link is followed with the session of the browser, which may have gone on to another company in another tab. */
function assertMeant(request: FastifyRequest): void {
  const query = Object(request.query) as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(query).filter((each) => /^installationId(\[|$)/.test(each))) {
    const meant = query[name];
    // Not every route with a file has a class for its query.
    if (name !== 'installationId' || typeof meant !== 'string' || !isUuid(meant)) {
      throw invalidRequest([valueCheck(`/${name}`, 'isUuid', 'installationId must be one UUID')]);
    }
    if (toInstallationId(meant) !== installationOf(request)) {
      throw problem('company-switched', message('problem.company-switched.detail'));
    }
  }
}

/** The caller's own, or the one that the operator names in the path. */
function installationOf(request: FastifyRequest): InstallationId {
  const { id } = Object(request.params) as { readonly id?: string };
  return findPrincipal(request)?.installationId ?? toInstallationId(id ?? '');
}
