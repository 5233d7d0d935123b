import { Injectable } from '@nestjs/common';
import { sha256 } from '../../foundation/crypto/sha256.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import { Clock } from '../../kernel/clock.js';
import { RequestAllowanceRepository } from './request-allowance.repository.js';

/**
 * Requests are booked in portions of this share of the limit: few statements, and what a process has booked and does not
 * use, or used before it booked, stays within a tenth of the limit for three processes (spec: reliability §e5 S47).
 */
const PORTION_SHARE = 1 / 40;
const MINUTE_MS = 60_000;
/** How many keys are known at once, but for those that were refused and whose minute is not over. */
const MOST_KEYS = 50_000;

interface Allowance {
  /** Requests that may still be made without asking. */
  left: number;
  /** When the minute is over, in milliseconds of our clock. */
  endsAt: number;
  /** Requests made before anything was booked. */
  unbooked: number;
  isSpent: boolean;
  asking: Promise<void> | undefined;
}

/**
 * How many requests in a minute, by key, over all processes. Whoever makes few is never looked up: the first portion is
 * given at once, and booked together with the second. A database that is away refuses nobody.
 */
@Injectable()
export class SharedAllowance {
  private readonly allowances = new Map<string, Allowance>();
  private cleanedAt = 0;

  constructor(
    private readonly database: TenantDatabase,
    private readonly bookings: RequestAllowanceRepository,
    private readonly clock: Clock,
    private readonly logger: AppLogger,
  ) {}

  /** @returns 0 when the request may be made, else the milliseconds until the next one may */
  async take(key: string, perMinute: number): Promise<number> {
    for (;;) {
      const allowance = this.of(key, perMinute);
      if (allowance.left > 0) {
        allowance.left -= 1;
        return 0;
      }
      if (allowance.isSpent) {
        return allowance.endsAt - this.now();
      }
      allowance.asking ??= this.book(key, allowance, perMinute).finally(() => {
        allowance.asking = undefined;
      });
      await allowance.asking;
    }
  }

  /** @returns as `take`, without taking; knows only what this process was refused */
  spentFor(key: string): number {
    const allowance = this.allowances.get(key);
    return allowance?.isSpent === true ? Math.max(0, allowance.endsAt - this.now()) : 0;
  }

  private of(key: string, perMinute: number): Allowance {
    const known = this.allowances.get(key);
    if (known !== undefined && (known.endsAt > this.now() || known.asking !== undefined)) {
      return known;
    }
    const portion = portionOf(perMinute);
    const fresh = {
      left: portion,
      endsAt: this.now() + MINUTE_MS,
      unbooked: portion,
      isSpent: false,
      asking: undefined,
    };
    this.allowances.delete(key);
    this.makeRoom();
    this.allowances.set(key, fresh);
    return fresh;
  }

  /**
   * Forgets the minutes that began first, but for running ones that are spent: they would be given anew, so whoever brought
   * enough keys would never be refused. Nearly always the first one goes, so this costs nothing.
   */
  private makeRoom(): void {
    for (const [key, { endsAt, asking, isSpent }] of this.allowances) {
      if (this.allowances.size < MOST_KEYS) {
        return;
      }
      if (asking === undefined && (endsAt <= this.now() || !isSpent)) {
        this.allowances.delete(key);
      }
    }
  }

  private async book(key: string, allowance: Allowance, perMinute: number): Promise<void> {
    const wanted = portionOf(perMinute) + allowance.unbooked;
    try {
      const { used, endsInMs } = await this.database.withoutInstallation('book requests', async (tx) => {
        if (this.isTimeToClean()) {
          await this.bookings.forgetOver(tx);
        }
        return this.bookings.book(tx, sha256(key), wanted);
      });
      const given = Math.min(wanted, perMinute - (used - wanted)) - allowance.unbooked;
      allowance.left = Math.max(0, given);
      allowance.isSpent = given <= 0;
      allowance.endsAt = this.now() + endsInMs;
      allowance.unbooked = 0;
      if (allowance.isSpent) {
        this.logger.of('limits').warn({ limit: key.split(' ', 1)[0], perMinute }, 'requests.limited');
      }
    } catch (error) {
      allowance.left = portionOf(perMinute);
      this.logger.of('limits').warn({ err: error }, 'requests.not_booked');
    }
  }

  private isTimeToClean(): boolean {
    if (this.now() < this.cleanedAt + MINUTE_MS) {
      return false;
    }
    this.cleanedAt = this.now();
    return true;
  }

  private now(): number {
    return this.clock.monotonicMs();
  }
}

function portionOf(perMinute: number): number {
  return Math.max(1, Math.floor(perMinute * PORTION_SHARE));
}
