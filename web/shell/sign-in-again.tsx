import { Button, Group, Modal, Text } from '@mantine/core';
import { dismissRefusal, signInAddress, useRefusal } from '../api/refusals.js';
import { t } from '../messages/text.js';

const ABOVE_DIALOGS = 300;

/** Over a page whose session has ended or is too old for what was asked: forms are kept for the way back. */
export function SignInAgain() {
  const refusal = useRefusal();
  return (
    <Modal
      // Over a dialog of the page, whichever was opened first.
      zIndex={ABOVE_DIALOGS}
      opened={refusal !== undefined}
      onClose={dismissRefusal}
      title={t('signInAgain.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      {refusal === undefined ? null : (
        <>
          <Text>{t(refusal === 'signed-out' ? 'signInAgain.ended' : 'signInAgain.old')}</Text>
          <Group mt="md">
            <Button component="a" href={signInAddress(refusal)} data-autofocus>
              {t('landing.signIn')}
            </Button>
          </Group>
        </>
      )}
    </Modal>
  );
}
