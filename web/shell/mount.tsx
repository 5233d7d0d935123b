import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '../page.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { doesAnswer } from '../api/reachable.js';
import type { ProblemResponse } from '../api/schema.js';
import { language } from '../messages/language.js';
import { ignoreDoubleClicks } from './double-clicks.js';
import { keepFocus } from './kept-focus.js';
import { contrasts, pageTheme, printLight } from './theme.js';

const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '';
// The lock of the scroll bar behind a dialog asks for it by this name.
Object.assign(globalThis, { __webpack_nonce__: nonce });

/** A problem of the API stays the same when asked again; a lost connection does not. */
const isLostConnection = (error: unknown) => error instanceof TypeError;
const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      // What is no longer there, as a connection that another admin has ended, is not shown as if it were.
      if ((error as Partial<ProblemResponse>).status === 404 && query.state.data !== undefined) {
        query.setState({ data: undefined });
      }
    },
  }),
  mutationCache: new MutationCache({
    onError: (error) => {
      // It says to look at what is there now, which no event has reported: without it the next try would be refused the same.
      if ((error as Partial<ProblemResponse>).type?.endsWith(':version-changed') === true) {
        void queryClient.invalidateQueries();
      }
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => count < 3 && isLostConnection(error),
    },
  },
});

const RELOAD_EVERY_MS = 60_000;
// A page from before a deployment requests scripts that no longer exist. Where loading again does not help, it says so. While the
// connector does not answer it would leave nothing but the browser's own message.
const reloadForScripts = async () => {
  const reloadedAt = Number(sessionStorage.getItem('reloaded at'));
  if (performance.timeOrigin - reloadedAt > RELOAD_EVERY_MS && (await doesAnswer())) {
    sessionStorage.setItem('reloaded at', performance.timeOrigin.toString());
    location.reload();
  }
};
addEventListener('vite:preloadError', () => void reloadForScripts());

/** Draws the page, after its words are loaded. */
export function mount(content: ReactNode): void {
  document.documentElement.lang = language();
  keepFocus();
  ignoreDoubleClicks();
  printLight();
  const root = document.getElementById('root');
  if (root !== null) {
    createRoot(root).render(
      <MantineProvider
        theme={pageTheme()}
        cssVariablesResolver={contrasts}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          {content}
          <Notifications />
        </QueryClientProvider>
      </MantineProvider>,
    );
  }
}
