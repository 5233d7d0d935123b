import { createTheme, type CSSVariablesResolver } from '@mantine/core';
import { t } from '../messages/text.js';

/** After the words are loaded: it names buttons that have no text. */
export const pageTheme = () =>
  createTheme({
    primaryColor: 'indigo',
    primaryShade: { light: 7, dark: 8 },
    autoContrast: true,
    defaultRadius: 'md',
    cursorType: 'pointer',
    components: {
      // The head of a dialog is not a second head of the page.
      Notification: { defaultProps: { closeButtonProps: { 'aria-label': t('action.close') } } },
      PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': t('action.showTyped') } } },
      Modal: { defaultProps: { attributes: { header: { role: 'presentation' } } } },
    },
  });

/** Contrasts of at least 4.5 : 1 in both color schemes, which the library's own grays and reds do not have. */
export const contrasts: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-error': colors.red[9],
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': colors.dark[1],
    '--mantine-color-error': colors.red[4],
  },
});

/** Without their backgrounds, which browsers leave out, the light words of the dark scheme could not be read on paper. */
export function printLight(): void {
  const { dataset } = document.documentElement;
  let shown: string | undefined;
  addEventListener('beforeprint', () => {
    shown = dataset['mantineColorScheme'];
    dataset['mantineColorScheme'] = 'light';
  });
  addEventListener('afterprint', () => {
    dataset['mantineColorScheme'] = shown;
  });
}
