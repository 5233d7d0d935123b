import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import type { SyncConfirmationResponse, SyncRunResponse } from '../../api/schema.js';
import { t } from '../../messages/text.js';
import { Needs } from '../../parts/roles.js';
import { Failed, Loaded } from '../../parts/states.js';

/** As many as the API gives at once without being asked for more. */
const NEWEST = 20;

interface ConfirmArchivesProps {
  readonly run: SyncRunResponse;
  readonly confirmation: SyncConfirmationResponse;
}

/** A run that would archive too much of a list waits: as many as it counted are agreed to, and a new run does it. */
export function ConfirmArchives({ run: { id, kind }, confirmation }: ConfirmArchivesProps) {
  const runs = apiQuery.useQuery('get', '/api/v1/reference-data/runs', { params: { query: { kind, limit: NEWEST } } });
  return (
    <Loaded query={runs}>
      {({ data }) => {
        const newest = data.find(({ isPreview }) => !isPreview);
        return newest === undefined || newest.id === id ? (
          <Confirm kind={kind} confirmation={confirmation} />
        ) : (
          <Text size="sm" mt="sm">
            {t('confirm.outdated')}{' '}
            <Anchor component={Link} to={`/reference-data/${newest.id}`} td="underline" inherit>
              {t('confirm.newer')}
            </Anchor>
          </Text>
        );
      }}
    </Loaded>
  );
}

interface ConfirmProps {
  readonly kind: SyncRunResponse['kind'];
  readonly confirmation: SyncConfirmationResponse;
}

function Confirm({ kind, confirmation: { archives, of } }: ConfirmProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const start = apiQuery.useMutation('post', '/api/v1/reference-data/runs', {
    onSuccess: async ({ data: [started] }) => {
      await queryClient.invalidateQueries();
      await navigate({ to: started === undefined ? '/reference-data' : `/reference-data/${started.id}` });
    },
  });
  return (
    <Stack mt="sm" gap="xs" align="flex-start">
      <Text size="sm">{t('confirm.note')}</Text>
      <Needs role="bookkeeper" explained>
        <Button
          loading={start.isPending}
          onClick={() => {
            start.mutate({ body: { kinds: [kind], confirmedArchives: archives } });
          }}
        >
          {t('confirm.archive', { archives, of })}
        </Button>
      </Needs>
      {start.error === null ? null : <Failed error={start.error} />}
    </Stack>
  );
}
