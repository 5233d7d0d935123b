import type { ErrorComponentProps } from '@tanstack/react-router';
import { t } from '../messages/text.js';
import { Failed, Waiting } from '../parts/states.js';

/** How addresses are read and errors are shown, for bookkeepers and for operators. */
export const ROUTER_OPTIONS = {
  defaultPreload: 'intent',
  scrollRestoration: true,
  // Values of an address are texts: "6475" is no number.
  parseSearch: (text: string) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search: object) => {
    const text = new URLSearchParams(search as Record<string, string>).toString();
    return text === '' ? '' : `?${text}`;
  },
  defaultPendingComponent: Waiting,
  // What is thrown while a page is drawn is a mistake of the page, not a lost connection.
  defaultErrorComponent: ({ reset }: ErrorComponentProps) => (
    <Failed error={{ detail: t('error.page') }} again={reset} />
  ),
} as const;
