import { Controller, Get, Param, Query, Req, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { WithoutCredential } from '../access/access-rules.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { parseUuid, queryValue, type Query as QueryParameters } from '../wire/parse-request.js';
import type { ServedFile } from './item-file.repository.js';
import { ItemFiles } from './item-files.js';

const PIECE = Buffer.alloc(65_536, 'A receipt made up by the simulator. ');
/** Lets the bytes written so far leave before the connection breaks. */
const FLUSH_MS = 20;

/** The file host: the address of a file is its only credential, while it is valid. */
@ApiTags('files')
@WithoutCredential()
@Controller('files')
export class FileController {
  constructor(
    private readonly itemFiles: ItemFiles,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  @Get(':id/:name')
  async read(
    @Param('id') id: string,
    @Query() query: QueryParameters,
    @Req() request: FastifyRequest,
  ): Promise<StreamableFile> {
    const [expires, signature] = [queryValue(query, 'expires') ?? '', queryValue(query, 'signature') ?? ''];
    const file = await this.itemFiles.find(parseUuid('id', id), expires, signature);
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
