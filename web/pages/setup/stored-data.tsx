import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { readersCompany } from '../../api/reader.js';
import { saveFile } from '../../api/save-file.js';
import { t } from '../../messages/text.js';
import { Failed } from '../../parts/states.js';

/** Everything that is stored of the company as one file. No plain link: it may want a new sign-in, which only the page can tell. */
export function StoredData() {
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => {
      const { data, error: refused } = await api.GET('/api/v1/installation/export', {
        params: { query: { installationId: readersCompany() } },
        parseAs: 'blob',
      });
      if (data === undefined) {
        throw Object.assign(new Error(), refused);
      }
      saveFile(data, 'installation.json');
    },
  });
  return (
    <>
      <Button
        variant="default"
        w="fit-content"
        loading={isPending}
        onClick={() => {
          mutate();
        }}
      >
        {t('link.download')}
      </Button>
      {error === null ? null : <Failed error={error} />}
    </>
  );
}
