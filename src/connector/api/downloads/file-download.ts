import type { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

interface DownloadedFile {
  /** Of characters that need no quoting. */
  readonly name: string;
  /** Media type, with its parameters. */
  readonly type: string;
}

/** A response that browsers save as a file. */
export function fileDownload(content: Readable | Buffer | string, { name, type }: DownloadedFile): StreamableFile {
  const disposition = `attachment; filename="${name}"`;
  if (typeof content !== 'string' && !Buffer.isBuffer(content)) {
    return new StreamableFile(content, { type, disposition });
  }
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return new StreamableFile(bytes, { type, disposition, length: bytes.length });
}

/** Whether a file is read while it is sent, so that its size is known at its end only. */
export function isStreamed(file: StreamableFile): boolean {
  return file.getHeaders().length === undefined;
}
