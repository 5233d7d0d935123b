import { Body, Controller, Param, Post, UseGuards } from '@nestjs/common';
import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { Database } from '../../../foundation/database/database.js';
import { ExportItemRepository, type StoredItem } from '../exports/export-item.repository.js';
import { ItemFileRepository, type ServedFile } from '../files/item-file.repository.js';
import { ApiError, notFound } from '../wire/api-error.js';
import { parseBody, parseUuid } from '../wire/parse-request.js';
import { ControlGuard } from './control.guard.js';

const MAX_FILE_BYTES = 104_857_600;
const MAX_FILES = 200;
const bytes = z.int().min(0).max(MAX_FILE_BYTES);
const filesSchema = z
  .array(
    z.object({
      name: z.string().min(1).max(200).optional(),
      type: z.string().max(200).default('application/pdf'),
      /** Base64; left out: so many bytes are made up. */
      content: z.base64().optional(),
      size: bytes.optional(),
      announcedSize: bytes.optional(),
      breakAfter: bytes.nullish(),
    }),
  )
  .min(1)
  .max(MAX_FILES);
const DEFAULT_SIZE = 2_084;

/** Receipts of items; their addresses are made when the item is fetched, and good for 24 hours of the simulator's clock. */
@Controller('control/items')
@UseGuards(ControlGuard)
export class ControlFileController {
  constructor(
    private readonly exportItemRepository: ExportItemRepository,
    private readonly itemFileRepository: ItemFileRepository,
    private readonly database: Database,
  ) {}

  @Post(':id/files')
  async add(@Param('id') id: string, @Body() body: unknown): Promise<object> {
    const given = parseBody(filesSchema, body);
    const itemId = parseUuid('id', id);
    const files = given.map((file, index) => servedFile(itemId, file, index + 1));
    await this.database.inTransaction('add files', async (tx) => {
      const [item] = await this.exportItemRepository.findByIds(tx, [itemId]);
      if (item === undefined) {
        throw notFound('ITEM_NOT_FOUND', 'There is no such item.');
      }
      if (hasOwnFiles(item)) {
        throw new ApiError(
          409,
          'ITEM_HAS_FILES',
          'The item was added with files of its own, which it keeps.',
        );
      }
      await this.itemFileRepository.add(tx, files);
    });
    return { fileIds: files.map((file) => file.id) };
  }
}

function servedFile(itemId: string, given: z.output<typeof filesSchema>[number], place: number): ServedFile {
  const content = given.content === undefined ? null : Buffer.from(given.content, 'base64');
  const size = content?.length ?? given.size ?? DEFAULT_SIZE;
  return {
    id: randomUUID(),
    itemId,
    name: given.name ?? `receipt-${place.toString()}`,
    mediaType: given.type,
    announcedSize: given.announcedSize ?? size,
    size,
    content,
    breakAfter: given.breakAfter ?? null,
    addressKey: randomBytes(32).toString('hex'),
  };
}

function hasOwnFiles({ body }: StoredItem): boolean {
  const item: unknown = JSON.parse(body);
  return typeof item === 'object' && item !== null && (Reflect.get(item, 'files') ?? null) !== null;
}
