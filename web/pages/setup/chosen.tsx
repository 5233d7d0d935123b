// What was decided in the set-up, by name.
import { apiQuery } from '../../api/client.js';
import type { SetupStepResponse } from '../../api/schema.js';
import { t } from '../../messages/text.js';
import { useAccountNames } from '../../parts/erp-value.js';
import { accountLabel, accountOf } from './account-fields.js';
import { POLICIES } from './policies-form.js';
import { useSettings } from './use-settings.js';

interface OtherwiseProps {
  /** What is shown where the name is not known. */
  readonly otherwise: string | undefined;
}

export function ChosenSystem({ otherwise }: OtherwiseProps) {
  const { data } = apiQuery.useQuery('get', '/api/v1/erp-connection', {}, { retry: false });
  return data?.name ?? otherwise;
}

export function ChosenCompany({ otherwise }: OtherwiseProps) {
  const linked = { params: { query: { limit: 100 } } } as const;
  const { data } = apiQuery.useQuery('get', '/api/v1/erp/companies', linked, { retry: false });
  return data?.data.find(({ isLinked }) => isLinked)?.name ?? otherwise;
}

export function ChosenAccounts({ steps }: { readonly steps: readonly SetupStepResponse[] }) {
  const { settings } = useSettings();
  const names = useAccountNames();
  return steps.map(({ check }) => {
    const code = accountOf(settings.accounts, check);
    return code === '' ? null : (
      <div key={check}>
        {accountLabel(check)}: <strong>{code}</strong> {names.get(code)}
      </div>
    );
  });
}

/** They are saved with the accounts, so that a reader who has not come to them yet has to see what they are. */
export function ChosenPolicies() {
  const { settings } = useSettings();
  return (Object.keys(POLICIES) as (keyof typeof POLICIES)[]).map((name) => {
    const value = settings.policies[name];
    return value === undefined ? null : (
      <div key={name}>
        {t(`policy.${name}`)}: <strong>{t(`policy-value.${value}`)}</strong>
      </div>
    );
  });
}
