import { Injectable } from '@nestjs/common';
import { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import { Database } from '../../../foundation/database/database.js';
import { SettingsReader } from '../clock/settings.reader.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { OAuthClientRepository, type OAuthClient } from './oauth-client.repository.js';
import { OAuthRecordRepository, type OAuthRecord } from './oauth-record.repository.js';

/** Creates the storage of each model of the authorization server. */
@Injectable()
export class OAuthRecordAdapters {
  constructor(
    readonly records: OAuthRecordRepository,
    readonly clients: OAuthClientRepository,
    readonly settingsReader: SettingsReader,
    readonly database: Database,
    readonly clock: SimulatorClock,
  ) {}

  create(model: string): Adapter {
    return new OAuthRecordAdapter(model, this);
  }
}

/**
 * Storage of one model of the authorization server. The library measures time by the computer's clock only, so
 * the times of a record are stored in the simulator's time and handed back in the computer's.
 */
class OAuthRecordAdapter implements Adapter {
  constructor(
    private readonly model: string,
    private readonly parts: OAuthRecordAdapters,
  ) {}

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    const stored = shifted(payload, this.parts.clock.offsetSeconds);
    const keys = { grantId: payload.grantId ?? null, uid: payload.uid ?? null };
    await this.inTransaction('write', (tx) => this.parts.records.upsert(tx, this.model, id, stored, keys));
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    if (this.model === 'Client') {
      const client = await this.inTransaction('find client', (tx) => this.parts.clients.find(tx, id));
      return client && metadataOf(client);
    }
    const record = await this.inTransaction('find', (tx) => this.parts.records.find(tx, this.model, id));
    return this.readBack(
      record?.consumed === true && this.model === 'RefreshToken' ? await this.usedToken(record) : record,
    );
  }

  /** A refresh token that was used before, as the rotation in force lets it look: unused, unknown or used. */
  private async usedToken(record: OAuthRecord): Promise<OAuthRecord | undefined> {
    const { refreshRotation, refreshGraceSeconds } = await this.parts.settingsReader.read();
    if (refreshRotation === 'strict') {
      return undefined;
    }
    const graceEnd = (record.consumedAt?.getTime() ?? 0) + refreshGraceSeconds * 1000;
    const isGood = refreshRotation === 'grace' && graceEnd > this.parts.clock.now().getTime();
    return { ...record, consumed: !isGood };
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.readBack(
      await this.inTransaction('find by uid', (tx) => this.parts.records.findByUid(tx, this.model, uid)),
    );
  }

  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** @throws InvalidGrant when another request consumed it a moment ago: a late request gets the same response */
  async consume(id: string): Promise<void> {
    const { records, clock } = this.parts;
    const first = await this.inTransaction('consume', (tx) => records.consume(tx, this.model, id, clock.now()));
    if (!first && (await this.find(id))?.consumed !== false) {
      throw new errors.InvalidGrant('already used');
    }
  }

  async destroy(id: string): Promise<void> {
    await this.inTransaction('remove', (tx) => this.parts.records.remove(tx, this.model, id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.inTransaction('revoke', (tx) => this.parts.records.removeByGrant(tx, this.model, grantId));
  }

  private readBack(record: OAuthRecord | undefined): AdapterPayload | undefined {
    return record && { ...shifted(record.payload, -this.parts.clock.offsetSeconds), consumed: record.consumed };
  }

  private inTransaction<T>(
    label: string,
    work: Parameters<typeof this.parts.database.inTransaction<T>>[1],
  ): Promise<T> {
    return this.parts.database.inTransaction(`oauth ${this.model} ${label}`, work);
  }
}

/** Moves the times of a record between the simulator's clock and the computer's. */
function shifted(payload: AdapterPayload, seconds: number): AdapterPayload {
  const { exp, iat } = payload;
  return {
    ...payload,
    ...(exp === undefined ? {} : { exp: exp + seconds }),
    ...(iat === undefined ? {} : { iat: iat + seconds }),
  };
}

function metadataOf(client: OAuthClient): AdapterPayload {
  return {
    client_id: client.clientId,
    client_secret: client.clientSecret,
    client_name: client.name,
    redirect_uris: [...client.redirectUris],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    // The library then takes the secret in the form as well (P3.1: accept both).
    token_endpoint_auth_method: 'client_secret_basic',
  };
}
