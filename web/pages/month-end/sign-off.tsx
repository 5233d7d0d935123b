import { Button, Card, Group, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../api/client.js';
import type { MonthEndResponse } from '../../api/schema.js';
import { shownDay, shownTime, t } from '../../messages/text.js';
import { useNames } from '../../parts/people.js';
import { Failed } from '../../parts/states.js';
import { useStoredForm } from '../../parts/stored-form.js';
import { Needs } from '../../parts/roles.js';

/** Signs a month off with one's name, or takes that back with a reason; both stay on record. */
export function SignOff({ report }: { readonly report: MonthEndResponse }) {
  const { month, erpCompanyId: company, state, signOff, begun } = report;
  const queryClient = useQueryClient();
  const { values, change, clear } = useStoredForm(`sign-off ${company} ${month} ${state}`, { reason: '' });
  const isSigned = state === 'signed';
  const question = isSigned ? t('monthEnd.reopenReason') : signingQuestion(report);
  const onSuccess = async () => {
    clear();
    notifications.show({ color: 'green', message: t(isSigned ? 'monthEnd.isReopened' : 'monthEnd.isSigned') });
    await queryClient.invalidateQueries();
  };
  const sign = apiQuery.useMutation('post', '/api/v1/month-ends/{month}/sign-off', { onSuccess });
  const reopen = apiQuery.useMutation('post', '/api/v1/month-ends/{month}/reopening', { onSuccess });
  // Blanks alone give no reason.
  const reason = values.reason.trim();
  const params = { path: { month } };
  const error = isSigned ? reopen.error : sign.error;
  if (!begun && !isSigned) {
    return <Text className="no-print">{t('monthEnd.notBegun', { day: shownDay(`${month}-01`) })}</Text>;
  }
  return (
    <Card withBorder className={signOff === null ? 'no-print' : undefined}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isSigned) {
            reopen.mutate({ params, body: { company, reason } });
          } else {
            sign.mutate({ params, body: { company, ...(question === undefined || reason === '' ? {} : { reason }) } });
          }
        }}
      >
        <Stack>
          {signOff === null ? null : <Signed signOff={signOff} />}
          <Stack className="no-print">
            <Needs role="bookkeeper" explained>
              {question === undefined ? null : (
                <Textarea
                  label={question}
                  required
                  maxLength={500}
                  value={values.reason}
                  onChange={(event) => {
                    change({ reason: event.currentTarget.value });
                  }}
                />
              )}
              {error === null ? null : <Failed error={error} />}
              <Group>
                <Button
                  type="submit"
                  variant={isSigned ? 'default' : 'filled'}
                  loading={sign.isPending || reopen.isPending}
                >
                  {t(isSigned ? 'monthEnd.reopen' : 'monthEnd.sign')}
                </Button>
              </Group>
            </Needs>
          </Stack>
        </Stack>
      </form>
    </Card>
  );
}

/** What has to be answered before the month is signed; undefined: nothing of it is missing or open. */
function signingQuestion({ missing, discrepancies }: MonthEndResponse): string | undefined {
  if (missing.length > 0) {
    return t('monthEnd.signReason', { count: missing.length });
  }
  const count = discrepancies.filter((discrepancy) => discrepancy.state === 'open').length;
  return count === 0 ? undefined : t('monthEnd.signDiscrepant', { count });
}

function Signed({ signOff }: { readonly signOff: NonNullable<MonthEndResponse['signOff']> }) {
  const nameOf = useNames();
  const { signedBy, signedAt, reason, reopenedBy, reopenedAt, reopeningReason } = signOff;
  return (
    <div className="wrap">
      <Text>
        {t('monthEnd.signedBy', { name: nameOf(signedBy), at: shownTime(signedAt) })} {reason ?? ''}
      </Text>
      {reopenedAt === null ? null : (
        <Text>
          {t('monthEnd.reopenedBy', { name: nameOf(reopenedBy ?? ''), at: shownTime(reopenedAt) })}{' '}
          {reopeningReason ?? ''}
        </Text>
      )}
    </div>
  );
}
