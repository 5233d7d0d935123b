import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { problemAt } from '../../api/problem-fields.js';
import { apiQuery } from '../../api/client.js';
import type { DimensionsResponse } from '../../api/schema.js';
import { t } from '../../messages/text.js';
import { hold, useRefusedElsewhere } from '../../parts/held/held.js';
import { useNames } from '../../parts/people.js';
import { Needs, useMay } from '../../parts/roles.js';
import { Failed, Overtaken, problemText } from '../../parts/states.js';
import { useStoredForm } from '../../parts/stored-form.js';
import { ifMatch } from '../mapping/saved.js';

/** As many as the API takes. */
const MAX_CHOSEN = 5;

/** Which dimensions of the accounting system people can choose from on the platform. */
export function Dimensions() {
  const { data, error } = apiQuery.useQuery('get', '/api/v1/reference-data/dimensions', {}, { retry: false });
  if (error !== null) {
    // Not every accounting system has some: that is no failure of the page.
    return (
      <Text size="sm" c="dimmed" mb="md">
        {problemText(error)}
      </Text>
    );
  }
  return data === undefined ? null : <Choice offer={data} />;
}

function Choice({ offer: { version, chosen, chosenBy, dimensions } }: { readonly offer: DimensionsResponse }) {
  const queryClient = useQueryClient();
  const nameOf = useNames();
  const isAdmin = useMay('admin');
  const known = dimensions.flatMap(({ code, isChosen }) => (isChosen ? code : []));
  const { values, change, clear, putBack } = useStoredForm(`dimensions ${version.toString()}`, { codes: known });
  const save = apiQuery.useMutation('put', '/api/v1/reference-data/dimensions', {
    onSuccess: async () => {
      clear();
      notifications.show({ color: 'green', message: t('dimensions.saved') });
      await queryClient.invalidateQueries();
    },
    onError: useRefusedElsewhere(t('dimensions.title')),
  });
  const nameOfCode = (code: string) => dimensions.find((one) => one.code === code)?.name ?? code;
  const removed = known.filter((code) => !values.codes.includes(code));
  const isChanged = removed.length > 0 || values.codes.some((code) => !known.includes(code));
  const choice = { params: { header: ifMatch(version) }, body: { codes: values.codes }, keepalive: true };
  const wrong = values.codes.map((_, index) => problemAt(save.error, `/codes/${index.toString()}`)).find(Boolean);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (removed.length === 0) {
          save.mutate(choice);
        } else {
          hold({
            text: t('dimensions.held', { names: removed.map(nameOfCode).join(', ') }),
            about: 'dimensions',
            act: () => save.mutateAsync(choice),
          });
        }
      }}
    >
      <Stack mb="xl" gap="sm" maw={640}>
        <Checkbox.Group
          label={t('dimensions.title')}
          description={t('dimensions.note')}
          error={wrong}
          readOnly={!isAdmin}
          value={values.codes}
          onChange={(codes) => {
            change({ codes });
          }}
        >
          {dimensions.map(({ code, name, active, values: count }) => {
            const isChecked = values.codes.includes(code);
            return (
              <Checkbox
                key={code}
                mt="xs"
                value={code}
                label={t('dimensions.named', { code, name, count })}
                description={active ? undefined : t('references.active-false')}
                disabled={!isAdmin || (!isChecked && (!active || values.codes.length >= MAX_CHOSEN))}
              />
            );
          })}
        </Checkbox.Group>
        <Text size="sm" c="dimmed">
          {chosenBy === null || chosen === null
            ? t('dimensions.never')
            : t('dimensions.by', { name: nameOf(chosenBy) })}
        </Text>
        <Needs role="admin" explained>
          <Button type="submit" w="fit-content" variant="default" loading={save.isPending} disabled={!isChanged}>
            {t('dimensions.save')}
          </Button>
        </Needs>
        <Overtaken putBack={putBack} />
        {save.error === null || wrong !== undefined ? null : <Failed error={save.error} />}
      </Stack>
    </form>
  );
}
