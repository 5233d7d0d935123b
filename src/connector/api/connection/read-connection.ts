import { Injectable } from '@nestjs/common';
import { Bug } from '../../../kernel/faults.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { ConnectionReader, type Connection } from '../../installations/connect/connection.reader.js';
import { connectionSteps, type ConnectionStep } from '../../installations/domain/connection-steps.js';
import { SyncReader } from '../../reference-data/sync.reader.js';

/** The connection of a company and its steps, up to the first synchronization of reference data. */
export interface ConnectionProgress extends Connection {
  readonly steps: readonly ConnectionStep[];
}

@Injectable()
export class ReadConnection {
  constructor(
    private readonly connectionReader: ConnectionReader,
    private readonly syncReader: SyncReader,
  ) {}

  /** @throws Bug for an unknown installation: every caller belongs to one */
  async readProgress(installationId: InstallationId): Promise<ConnectionProgress> {
    const connection = await this.connectionReader.read(installationId);
    if (connection === undefined) {
      throw new Bug('the caller has no installation');
    }
    const sync = await this.syncReader.readFirstSync(installationId);
    const { installation, subscribed } = connection;
    return { ...connection, steps: connectionSteps(installation, subscribed, sync) };
  }
}
