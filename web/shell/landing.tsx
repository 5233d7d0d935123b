import { Box, Button, Center, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { signInAddress } from '../api/refusals.js';
import { t } from '../messages/text.js';

/** For a reader without a session: the address they came to is kept through the sign-in. */
export function Landing() {
  return (
    <Center component="main" mih="80vh" p="md">
      <Paper withBorder p="xl" maw={460}>
        <Stack>
          <Title order={1} size="h2">
            {t('landing.title')}
          </Title>
          <Text>{t('landing.text')}</Text>
          <Button component="a" href={signInAddress('signed-out')} size="md">
            {t('landing.signIn')}
          </Button>
          <Button component="a" href="/connect" variant="subtle">
            {t('landing.connect')}
          </Button>
          <Button component="a" href="/app/sample" variant="subtle">
            {t('sample.look')}
          </Button>
        </Stack>
      </Paper>
    </Center>
  );
}

/** Until it is known who reads: what loads, or why nothing does, is found by a screen reader like a page. */
export function Opening({ children }: { readonly children: ReactNode }) {
  return (
    <Box component="main" p="md">
      <VisuallyHidden>
        <h1>{t('landing.title')}</h1>
      </VisuallyHidden>
      {children}
    </Box>
  );
}

/** In place of a page whose company or person is no longer that of the browser's session. */
export function OtherReader() {
  return (
    <Center component="main" mih="80vh" p="md">
      <Paper withBorder p="xl" maw={460} role="alert">
        <Stack>
          <Title order={1} size="h2">
            {t('otherReader.title')}
          </Title>
          <Text>{t('otherReader.text')}</Text>
          <Button component="a" href="/app" size="md">
            {t('otherReader.goOn')}
          </Button>
        </Stack>
      </Paper>
    </Center>
  );
}
