import { Controller, Get, Param, Query, Req, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { Database } from '../../../foundation/database/database.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { ApiError, notFound } from '../wire/api-error.js';
import { parseUuid, queryValue, type Query as QueryParameters } from '../wire/parse-request.js';
import { isValid } from './file-address.js';
import { ItemFileRepository, type ServedFile } from './item-file.repository.js';

const PIECE = Buffer.alloc(65_536, 'A receipt made up by the simulator. ');
/** Lets the bytes written so far leave before the connection breaks. */
const FLUSH_MS = 20;

/** The file host: whoever has an address gets the file, as long as the address is good. */
@ApiTags('files')
@Controller('files')
export class FileController {
  constructor(
    private readonly itemFileRepository: ItemFileRepository,
    private readonly simulatorClock: SimulatorClock,
    private readonly database: Database,
  ) {}

  @Get(':id/:name')
  async read(
    @Param('id') id: string,
    @Query() query: QueryParameters,
    @Req() request: FastifyRequest,
  ): Promise<StreamableFile> {
    const file = await this.database.inTransaction('find file', (tx) =>
      this.itemFileRepository.find(tx, parseUuid('id', id)),
    );
    if (file === undefined) {
      throw notFound('FILE_NOT_FOUND', 'There is no such file.');
    }
    const [expires, signature] = [queryValue(query, 'expires') ?? '', queryValue(query, 'signature') ?? ''];
    if (!isValid(file, expires, signature, this.simulatorClock.now())) {
      throw new ApiError(403, 'FILE_ADDRESS_INVALID', 'The address has expired or was not made by us.');
    }
    const bytes = Readable.from(this.bytesOf(file, request.raw.socket), { objectMode: false });
    return new StreamableFile(bytes, { type: file.mediaType, length: file.size });
  }

  private async *bytesOf({ content, size, breakAfter }: ServedFile, socket: Socket): AsyncGenerator<Buffer> {
    const end = Math.min(size, breakAfter ?? size);
    for (let sent = 0; sent < end;) {
      const left = end - sent;
      const piece = content?.subarray(sent, sent + PIECE.length) ?? PIECE;
      yield piece.subarray(0, left);
      sent += Math.min(piece.length, left);
    }
    if (breakAfter !== null) {
      await this.simulatorClock.sleep(FLUSH_MS);
      socket.destroy();
    }
  }
}
