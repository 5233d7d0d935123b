import { PassThrough, type Readable } from 'node:stream';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { AppLogger } from '../../../foundation/logging/app-logger.js';
import type { ExportJobId, InstallationId } from '../../../kernel/ids.js';
import { message } from '../../../kernel/message.js';
import { ExportJobReader, type JobView } from '../../exports/stores/export-job.reader.js';
import { PageEventReader, type EventCursor, type News } from '../../page-events/page-event.reader.js';
import { eachInTurn } from '../../runs/each-in-turn.js';
import { problem } from '../http/problems.js';

/** Of one process. */
const MAX_PER_CALLER = 6;
const MAX_PER_INSTALLATION = 50;
const MAX_STREAMS = 1_000;
const LOOK_EVERY_MS = 1_000;
/** Looks between two counts of what runs, and between two signs of life, at which the caller's credential is checked. */
const LOOKS_PER_COUNT = 3;
const LOOKS_PER_SIGN = 15;
/** A client that does not read so much is cut off; it comes back and resumes. */
const MAX_UNREAD_BYTES = 65_536;

export interface StreamCaller {
  readonly installationId: InstallationId;
  /** Person or token. */
  readonly name: string;
  /** Whether the session or token still counts. */
  isStillValid(): Promise<boolean>;
}

interface OpenStream extends StreamCaller {
  readonly output: PassThrough;
  /** By job: counters that were sent last. */
  readonly counters: Map<ExportJobId, string>;
  /** Undefined until it has received its first events. */
  cursor: EventCursor | undefined;
  /** It has to receive what there is, and has not since. */
  isBehind: boolean;
}

/** The open server-sent event streams of this process. One statement a second reads new events for all of them. */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private readonly streams = new Set<OpenStream>();
  private timer: NodeJS.Timeout | undefined;
  private horizon: string | undefined;
  private looks = 0;

  constructor(
    private readonly pageEventReader: PageEventReader,
    private readonly exportJobReader: ExportJobReader,
    private readonly appLogger: AppLogger,
  ) {}

  /**
   * @param after what the page has seen before; undefined: it begins now
   * @returns the stream, which ends with the caller's session or token, or with this process
   * @throws Problem 429 when the caller, the installation or the process has too many
   */
  async openStream(caller: StreamCaller, after: EventCursor | undefined): Promise<Readable> {
    this.assertRoom(caller);
    const stream: OpenStream = {
      ...caller,
      output: new PassThrough(),
      counters: new Map(),
      cursor: undefined,
      isBehind: false,
    };
    this.streams.add(stream);
    stream.output.once('close', () => this.streams.delete(stream));
    try {
      await this.sendEvents(stream, after);
    } catch (error) {
      stream.output.destroy();
      throw error;
    }
    this.horizon ??= stream.cursor?.horizon;
    this.timer ??= this.lookLater();
    return stream.output;
  }

  onModuleDestroy(): void {
    clearTimeout(this.timer);
    for (const { output } of this.streams) {
      output.end();
    }
  }

  private assertRoom({ installationId, name }: StreamCaller): void {
    const ofInstallation = [...this.streams].filter((each) => each.installationId === installationId);
    const ofCaller = ofInstallation.filter((each) => each.name === name);
    if (
      ofCaller.length >= MAX_PER_CALLER ||
      ofInstallation.length >= MAX_PER_INSTALLATION ||
      this.streams.size >= MAX_STREAMS
    ) {
      const detail = message('problem.too-many-streams.detail', { most: MAX_PER_CALLER });
      throw problem('too-many-streams', detail, { headers: { 'retry-after': '30' } });
    }
  }

  private lookLater(): NodeJS.Timeout | undefined {
    return this.streams.size === 0
      ? undefined
      : setTimeout(() => {
          void this.look()
            .catch((error: unknown) => {
              // Nothing is lost: every stream keeps its position.
              this.appLogger.of('events').warn({ err: error }, 'events.reading_failed');
            })
            .finally(() => {
              this.timer = this.lookLater();
            });
        }, LOOK_EVERY_MS).unref();
  }

  private async look(): Promise<void> {
    const asked = new Set([...this.streams].map(({ installationId }) => installationId));
    const news = await this.pageEventReader.findNews([...asked], this.horizon);
    this.horizon = news.horizon;
    this.looks += 1;
    const isSign = this.looks % LOOKS_PER_SIGN === 0;
    const streams = [...this.streams];
    for (const stream of streams) {
      // The next look begins behind this one, which may not serve each of them, and did not ask for those opened since it began.
      const { installationId } = stream;
      stream.isBehind ||= isSign || news.changed.includes(installationId) || !asked.has(installationId);
    }
    // What cannot be read for one company keeps no other page waiting.
    const steps = streams.map((stream) => () => this.serve(stream, isSign));
    const isCount = this.looks % LOOKS_PER_COUNT === 0;
    await eachInTurn([...steps, ...(isCount ? [() => this.broadcastProgress(news)] : [])], (step) => step());
  }

  private async serve(stream: OpenStream, isSign: boolean): Promise<void> {
    if (isSign && !(await stream.isStillValid())) {
      stream.output.end();
    } else if (stream.cursor !== undefined && stream.isBehind) {
      await this.sendEvents(stream, stream.cursor);
    }
  }

  private async sendEvents(stream: OpenStream, after: EventCursor | undefined): Promise<void> {
    // What happens while it is read is news again.
    stream.isBehind = false;
    const { cursor, events } = await this.pageEventReader
      .readSince(stream.installationId, after)
      .catch((error: unknown) => {
        stream.isBehind = true;
        throw error;
      });
    stream.cursor = cursor;
    const id = eventIdOf(cursor);
    if (events === 'missed') {
      send(stream, `id: ${id}\nevent: reset\ndata: {}\n\n`);
      return;
    }
    // The id stands with the last one: a page that was disconnected before receives all of them again.
    const lines = events.map((event) => `event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`);
    send(stream, `${lines.join('')}id: ${id}\nevent: ready\ndata: {}\n\n`);
  }

  private async broadcastProgress({ running }: News): Promise<void> {
    await eachInTurn(running, async ({ installationId, exportJobId }) => {
      const job = await this.exportJobReader.job(installationId, exportJobId);
      for (const stream of this.streams) {
        if (job !== undefined && stream.installationId === installationId) {
          sendProgress(stream, exportJobId, job);
        }
      }
    });
    const ids = new Set(running.map(({ exportJobId }) => exportJobId));
    for (const { counters } of this.streams) {
      for (const id of [...counters.keys()].filter((each) => !ids.has(each))) {
        counters.delete(id);
      }
    }
  }
}

/** As clients send it back. */
export function eventIdOf({ horizon, seconds }: EventCursor): string {
  return `${horizon}.${seconds.toString()}`;
}

/** Without an id: a client that reconnects gets the present figures anyway. */
function sendProgress(stream: OpenStream, exportJobId: ExportJobId, job: JobView): void {
  const { id, state, numberOfItems, successful, failed, expiresAt } = job;
  const data = JSON.stringify({ id, state, numberOfItems, successful, failed, expiresAt });
  if (stream.counters.get(exportJobId) !== data) {
    stream.counters.set(exportJobId, data);
    send(stream, `event: progress\ndata: ${data}\n\n`);
  }
}

function send({ output }: OpenStream, text: string): void {
  if (output.writableLength + output.readableLength > MAX_UNREAD_BYTES) {
    output.destroy();
  } else if (!output.writableEnded) {
    output.write(text);
  }
}
