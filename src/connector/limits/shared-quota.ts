import { Injectable } from '@nestjs/common';
import { sha256 } from '../../foundation/crypto/sha256.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { AppLogger } from '../../foundation/logging/app-logger.js';
import { Clock } from '../../kernel/clock.js';
import { RequestQuotaRepository } from './request-quota.repository.js';

/**
 * Requests are booked in portions of this share of the limit. That takes few statements, and the requests that a process has
 * booked without use, or used before booking, stay within a tenth of the limit for three processes (S47).
 */
const PORTION_SHARE = 1 / 40;
const MINUTE_MS = 60_000;
/** Keys in memory, not counting those that are refused until their minute is over. */
const MAX_KEYS = 50_000;

interface KeyQuota {
  /** Requests left of the booked portion. */
  remaining: number;
  /** End of the minute, in milliseconds of the monotonic clock. */
  endsAt: number;
  /** Requests granted before the first booking. */
  unrecorded: number;
  isExhausted: boolean;
  reserving: Promise<void> | undefined;
}

/**
 * Limits requests per minute and key, over all processes. The first portion is granted without a query and booked together
 * with the second, so a client with few requests costs none. When the database is down, no request is refused.
 */
@Injectable()
export class SharedQuota {
  private readonly quotas = new Map<string, KeyQuota>();
  private cleanedAt = 0;

  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly requestQuotaRepository: RequestQuotaRepository,
    private readonly clock: Clock,
    private readonly appLogger: AppLogger,
  ) {}

  /**
   * @param key kind of limit, a space, and the client
   * @returns 0 when the request is granted, else milliseconds until the next one can be
   */
  async consume(key: string, perMinute: number): Promise<number> {
    for (;;) {
      const quota = this.quotaOf(key, perMinute);
      if (quota.remaining > 0) {
        quota.remaining -= 1;
        return 0;
      }
      if (quota.isExhausted) {
        return quota.endsAt - this.now();
      }
      quota.reserving ??= this.reserve(key, quota, perMinute).finally(() => {
        quota.reserving = undefined;
      });
      await quota.reserving;
    }
  }

  /** @returns as `consume`, without consuming; knows only refusals of this process */
  remainingWaitMs(key: string): number {
    const quota = this.quotas.get(key);
    return quota?.isExhausted === true ? Math.max(0, quota.endsAt - this.now()) : 0;
  }

  private quotaOf(key: string, perMinute: number): KeyQuota {
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
   * Evicts the oldest minutes, except exhausted ones that are not over: a client with enough keys could otherwise reset its
   * own. Nearly always the first one is evicted, so this costs nothing.
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

  private async reserve(key: string, quota: KeyQuota, perMinute: number): Promise<void> {
    const wanted = portionOf(perMinute) + quota.unrecorded;
    try {
      const { used, endsInMs } = await this.tenantDatabase.withoutInstallation('book requests', async (tx) => {
        if (this.isTimeToClean()) {
          await this.requestQuotaRepository.deleteExpired(tx);
        }
        return this.requestQuotaRepository.consume(tx, sha256(key), wanted);
      });
      const given = Math.min(wanted, perMinute - (used - wanted)) - quota.unrecorded;
      quota.remaining = Math.max(0, given);
      quota.isExhausted = given <= 0;
      quota.endsAt = this.now() + endsInMs;
      quota.unrecorded = 0;
      if (quota.isExhausted) {
        this.appLogger.of('limits').warn({ limit: key.split(' ', 1)[0], perMinute }, 'requests.limited');
      }
    } catch (error) {
      quota.remaining = portionOf(perMinute);
      this.appLogger.of('limits').warn({ err: error }, 'requests.booking_failed');
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
