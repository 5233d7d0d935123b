import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { t } from '../messages/text.js';
import { PageTitle } from './states.js';

/** An address without a page, and the way on. */
export function NotFound() {
  return (
    <>
      <PageTitle title={t('error.notFound')} />
      <Anchor component={Link} to="/">
        {t('error.toFirstPage')}
      </Anchor>
    </>
  );
}
