import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { SystemClock } from '../../../foundation/clock/system-clock.js';
import { Clock } from '../../../kernel/clock.js';
import { SimulatorStateRepository } from './simulator-state.repository.js';
import { ApiError } from '../wire/api-error.js';

/** Times are written with four digits of a year, also those that lie ahead, and tokens count from 1970. */
const END_MS = Date.UTC(9999, 0);

/** The platform's time: the computer's clock plus an offset that /control moves and the database keeps. */
@Injectable()
export class SimulatorClock extends Clock {
  private offset = 0;

  constructor(
    private readonly systemClock: SystemClock,
    private readonly database: Database,
    private readonly simulatorStateRepository: SimulatorStateRepository,
  ) {
    super();
  }

  override now(): Date {
    return new Date(this.systemClock.now().getTime() + this.offset);
  }

  override monotonicMs(): number {
    return this.systemClock.monotonicMs();
  }

  /** Real milliseconds: moving the clock does not end a sleep; `BackgroundSignal` does. */
  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    await this.systemClock.sleep(ms, signal);
  }

  get offsetMs(): number {
    return this.offset;
  }

  /** As `offsetMs`, in the unit of token times. */
  get offsetSeconds(): number {
    return Math.round(this.offset / 1000);
  }

  systemNow(): Date {
    return this.systemClock.now();
  }

  /** Loads the offset from the database. */
  async load(): Promise<void> {
    this.offset = await this.database.inTransaction('load clock', (tx) =>
      this.simulatorStateRepository.readClockOffset(tx),
    );
  }

  /**
   * @param offsetMs milliseconds ahead of the computer's clock; negative is behind
   * @throws ApiError 400 where times could no longer be written; nothing is changed then
   */
  async moveTo(offsetMs: number): Promise<void> {
    const then = this.systemClock.now().getTime() + offsetMs;
    if (!(then >= 0 && then < END_MS)) {
      throw new ApiError(400, 'VALIDATION_FAILED', 'The clock goes from the year 1970 to the year 9998.');
    }
    await this.database.inTransaction('move clock', (tx) =>
      this.simulatorStateRepository.writeClockOffset(tx, offsetMs),
    );
    this.offset = offsetMs;
  }
}
