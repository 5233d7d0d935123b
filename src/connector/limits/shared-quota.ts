import { Injectable } from '@nestjs/common';
import { sha256 } from '../../foundation/crypto/sha256.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import { Clock } from '../../kernel/clock.js';
import { RequestQuotaRepository } from './request-quota.repository.js';

/**
 * Requests are booked in portions of this share of the limit: few statements, and what a process has booked and does not
 * use, or used before it booked, stays within a tenth of the limit for three processes (S47).
 */
const PORTION_SHARE = 1 / 40;
const MINUTE_MS = 60_000;
/** How many keys are known at once, but for those that were refused and whose minute is not over. */
const MAX_KEYS = 50_000;

interface ClientQuota {
  /** Requests that may still be made without asking. */
  remaining: number;
  /** When the minute is over, in milliseconds of our clock. */
  endsAt: number;
  /** Requests made before anything was booked. */
  unrecorded: number;
  isExhausted: boolean;
  reserving: Promise<void> | undefined;
}

/**
 * How many requests in a minute, by key, over all processes. Whoever makes few is never looked up: the first portion is
 * given at once, and booked together with the second. A database that is away refuses nobody.
 */
@Injectable()
export class SharedQuota {
  private readonly quotas = new Map<string, ClientQuota>();
  private cleanedAt = 0;

  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly requestQuotaRepository: RequestQuotaRepository,
    private readonly clock: Clock,
    private readonly appLogger: AppLogger,
  ) {}

  /** @returns 0 when the request may be made, else the milliseconds until the next one may */
  async consume(key: string, perMinute: number): Promise<number> {
    for (;;) {
      const allowance = this.quotaOf(key, perMinute);
      if (allowance.remaining > 0) {
        allowance.remaining -= 1;
        return 0;
      }
      if (allowance.isExhausted) {
        return allowance.endsAt - this.now();
      }
      allowance.reserving ??= this.reserve(key, allowance, perMinute).finally(() => {
        allowance.reserving = undefined;
      });
      await allowance.reserving;
    }
  }

  /** @returns as `take`, without taking; knows only what this process was refused */
  remainingWaitMs(key: string): number {
    const allowance = this.quotas.get(key);
    return allowance?.isExhausted === true ? Math.max(0, allowance.endsAt - this.now()) : 0;
  }

  private quotaOf(key: string, perMinute: number): ClientQuota {
    const known = this.quotas.get(key);
    if (known !== undefined && (known.endsAt > this.now() || known.reserving !== undefined)) {
      return known;
    }
    const portion = portionOf(perMinute);
    const fresh = {
      remaining: portion,
      endsAt: this.now() + MINUTE_MS,
      unrecorded: portion,
      isExhausted: false,
      reserving: undefined,
    };
    this.quotas.delete(key);
    this.evictOldest();
    this.quotas.set(key, fresh);
    return fresh;
  }

  /**
   * Forgets the minutes that began first, but for running ones that are spent: they would be given anew, so whoever brought
   * enough keys would never be refused. Nearly always the first one goes, so this costs nothing.
   */
  private evictOldest(): void {
    for (const [key, { endsAt, reserving, isExhausted }] of this.quotas) {
      if (this.quotas.size < MAX_KEYS) {
        return;
      }
      if (reserving === undefined && (endsAt <= this.now() || !isExhausted)) {
        this.quotas.delete(key);
      }
    }
  }

  private async reserve(key: string, allowance: ClientQuota, perMinute: number): Promise<void> {
    const wanted = portionOf(perMinute) + allowance.unrecorded;
    try {
      const { used, endsInMs } = await this.tenantDatabase.withoutInstallation(
        'book requests',
        async (tx) => {
          if (this.isTimeToClean()) {
            await this.requestQuotaRepository.deleteExpired(tx);
          }
          return this.requestQuotaRepository.consume(tx, sha256(key), wanted);
        },
      );
      const given = Math.min(wanted, perMinute - (used - wanted)) - allowance.unrecorded;
      allowance.remaining = Math.max(0, given);
      allowance.isExhausted = given <= 0;
      allowance.endsAt = this.now() + endsInMs;
      allowance.unrecorded = 0;
      if (allowance.isExhausted) {
        this.appLogger.of('limits').warn({ limit: key.split(' ', 1)[0], perMinute }, 'requests.limited');
      }
    } catch (error) {
      allowance.remaining = portionOf(perMinute);
      this.appLogger.of('limits').warn({ err: error }, 'requests.not_booked');
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
