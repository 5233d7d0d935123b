import { Body, Controller, Param, Post } from '@nestjs/common';
import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ControlApi } from '../access/access-rules.js';
import { AddItemFiles } from '../exports/add-item-files.js';
import type { ServedFile } from '../files/item-file.repository.js';
import { parseBody, parseUuid } from '../wire/parse-request.js';

const MAX_FILE_BYTES = 104_857_600;
const MAX_FILES = 200;
const bytes = z.int().min(0).max(MAX_FILE_BYTES);
const filesSchema = z
  .array(
    z.strictObject({
      name: z.string().min(1).max(200).optional(),
      type: z.string().max(200).default('application/pdf'),
      /** Base64; left out: `size` bytes are generated. */
      content: z.base64().optional(),
      size: bytes.optional(),
      announcedSize: bytes.optional(),
      breakAfter: bytes.nullish(),
    }),
  )
  .min(1)
  .max(MAX_FILES);
const DEFAULT_SIZE = 2_084;

/** Receipts of items; their addresses are created when the item is fetched, and valid for 24 hours of the simulator's clock. */
@ControlApi()
@Controller('control/items')
export class ControlFileController {
  constructor(private readonly addItemFiles: AddItemFiles) {}

  @Post(':id/files')
  async add(@Param('id') id: string, @Body() body: unknown): Promise<object> {
    const given = parseBody(filesSchema, body);
    const itemId = parseUuid('id', id);
    const files = given.map((file, index) => servedFile(itemId, file, index + 1));
    await this.addItemFiles.addFiles(itemId, files);
    return { fileIds: files.map((file) => file.id) };
  }
}

function servedFile(itemId: string, given: z.output<typeof filesSchema>[number], number: number): ServedFile {
  const content = given.content === undefined ? null : Buffer.from(given.content, 'base64');
  const size = content?.length ?? given.size ?? DEFAULT_SIZE;
  return {
    id: randomUUID(),
    itemId,
    name: given.name ?? `receipt-${number.toString()}`,
    mediaType: given.type,
    announcedSize: given.announcedSize ?? size,
    size,
    content,
    breakAfter: given.breakAfter ?? null,
    addressKey: randomBytes(32).toString('hex'),
  };
}
