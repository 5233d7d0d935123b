// How the reader wants the page to be.
import { NativeSelect, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { language, LANGUAGES, type Language } from '../messages/language.js';
import { t } from '../messages/text.js';

export function SchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <NativeSelect
      size="xs"
      label={t('nav.scheme')}
      value={colorScheme}
      onChange={(event) => {
        setColorScheme(event.currentTarget.value as MantineColorScheme);
      }}
      data={(['auto', 'light', 'dark'] as const).map((value) => ({ value, label: t(`scheme.${value}`) }))}
    />
  );
}

export function LanguageChoice({ onChoose }: { readonly onChoose: (chosen: Language) => void }) {
  return (
    <NativeSelect
      size="xs"
      label={t('nav.language')}
      value={language()}
      onChange={(event) => {
        onChoose(LANGUAGES.find((one) => one === event.currentTarget.value) ?? 'en');
      }}
      data={LANGUAGES.map((value) => ({ value, label: t(`language.${value}`) }))}
    />
  );
}
