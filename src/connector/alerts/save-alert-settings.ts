import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { newWebhookSecret } from '../../foundation/http/client/webhook-client.js';
import { Clock } from '../../kernel/clock.js';
import { Permanent } from '../../kernel/faults.js';
import type { InstallationId } from '../../kernel/ids.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { DataKeyRepository } from '../installations/credentials/data-key.repository.js';
import type { DataKey } from '../installations/credentials/data-key.js';
import { AlertSettingRepository, type StoredAlertSettings } from './alert-setting.repository.js';
import { CheckRecipient, type RecipientProblem } from './check-recipient.js';
import { maskAddress, type AlertSettings, type SavedAlertSettings } from './domain/alert-settings.js';

export type AlertSettingsSaved =
  | {
      readonly outcome: 'saved';
      readonly settings: SavedAlertSettings;
      /** Of a webhook that is new: it is never shown again. */
      readonly secret: string | undefined;
    }
  | { readonly outcome: 'stale' }
  /** The installation was uninstalled meanwhile: alerts are no longer sent. */
  | { readonly outcome: 'not-installed' }
  | RecipientProblem;

/** Its address is the whole one; undefined keeps the one of the same channel. */
export interface AlertSettingsChange extends AlertSettings {
  /** True: a new secret replaces the existing one. */
  readonly newSecret: boolean;
}

@Injectable()
export class SaveAlertSettings {
  constructor(
    private readonly checkRecipient: CheckRecipient,
    private readonly tenantDatabase: TenantDatabase,
    private readonly alertSettingRepository: AlertSettingRepository,
    private readonly installationRepository: InstallationRepository,
    private readonly dataKeyRepository: DataKeyRepository,
    private readonly clock: Clock,
  ) {}

  /** @param seen version that was edited, 0 for the first */
  async saveSettings(
    installationId: InstallationId,
    seen: number,
    change: AlertSettingsChange,
  ): Promise<AlertSettingsSaved> {
    const { channel, address, kinds } = change;
    const problem = await this.checkRecipient.check(channel, address);
    if (problem !== undefined) {
      return problem;
    }
    return this.tenantDatabase.inInstallation('save alert settings', installationId, async (tx) => {
      if (!(await this.installationRepository.lockActive(tx, installationId))) {
        return { outcome: 'not-installed' };
      }
      const target = await this.targetOf(tx, installationId, change);
      if (target === undefined) {
        return { outcome: 'bad-address', problem: 'none-kept' };
      }
      const { secret, ...kept } = target;
      const wanted = { channel, address: kept.address, kinds };
      const saved = await this.alertSettingRepository.saveVersion(
        tx,
        installationId,
        seen,
        { ...wanted, ...kept },
        this.clock.now(),
      );
      return saved ? { outcome: 'saved', settings: { ...wanted, version: seen + 1 }, secret } : { outcome: 'stale' };
    });
  }

  /** @returns undefined when no address is given and none is stored */
  private async targetOf(
    tx: Tx,
    installationId: InstallationId,
    { channel, address, newSecret }: AlertSettingsChange,
  ): Promise<Target | undefined> {
    if (channel === 'off') {
      return target({});
    }
    const stored = await this.alertSettingRepository.find(tx, installationId);
    const before = stored?.channel === channel ? stored : undefined;
    if (address === undefined && before === undefined) {
      return undefined;
    }
    return channel === 'mail'
      ? target({ address: address ?? before?.address })
      : webhookTarget(await this.dataKeyRepository.findOrCreate(tx, installationId), before, address, newSecret);
  }
}

/** Where messages go, as it is stored, and a webhook's secret when it is new. */
type Target = Pick<StoredAlertSettings, 'address' | 'sealedAddress' | 'sealedSecret'> & {
  readonly secret: string | undefined;
};

function target(parts: Partial<Target>): Target {
  return {
    address: undefined,
    sealedAddress: undefined,
    sealedSecret: undefined,
    secret: undefined,
    ...parts,
  };
}

/** A webhook keeps its secret; another address gets a new one, because the former receiver knows the first. */
function webhookTarget(
  key: DataKey,
  before: StoredAlertSettings | undefined,
  address: string | undefined,
  newSecret: boolean,
): Target {
  const isKept = before !== undefined && (address === undefined || address === addressOf(key, before));
  if (isKept && !newSecret) {
    const { sealedAddress, sealedSecret } = before;
    return target({ address: before.address, sealedAddress, sealedSecret });
  }
  const secret = newWebhookSecret();
  return target({
    address: address === undefined ? before?.address : maskAddress(address),
    sealedAddress: address === undefined ? before?.sealedAddress : key.seal('alert_setting.sealed_address', address),
    sealedSecret: key.seal('alert_setting.webhook_secret', secret),
    secret,
  });
}

/** @returns undefined when the key that encrypted it was destroyed */
function addressOf(key: DataKey, { sealedAddress = '' }: StoredAlertSettings): string | undefined {
  try {
    return key.unseal('alert_setting.sealed_address', sealedAddress);
  } catch (error) {
    if (!(error instanceof Permanent)) {
      throw error;
    }
    return undefined;
  }
}
