import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { DeliveryRepository, type DeliveryRecord } from './delivery.repository.js';

/** Reads the log of notifications. */
@Injectable()
export class DeliveryReader {
  constructor(
    private readonly deliveryRepository: DeliveryRepository,
    private readonly database: Database,
  ) {}

  /**
   * Newest first, each with its attempts.
   * @param companyId unset: of all companies
   */
  async log(companyId: string | undefined, limit: number): Promise<readonly DeliveryRecord[]> {
    return this.database.inTransaction('read deliveries', (tx) =>
      this.deliveryRepository.readLog(tx, companyId, limit),
    );
  }
}
