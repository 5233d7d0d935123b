// A real browser for a test. Where there is none a run of CI fails, and a run at home says what was not tested.
import { access } from 'node:fs/promises';
import { chromium, type Browser } from 'playwright-core';

const { CHROMIUM_PATH: asked, CI } = process.env;
const CHROMIUM_PATH = asked ?? '/usr/bin/chromium';
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const hasChromium = await access(CHROMIUM_PATH).then(
  () => true,
  () => false,
);
/** Whether the tests that need one have to run. */
export const needsChromium = asked !== undefined || (CI !== undefined && CI !== '');
export const NO_CHROMIUM = `There is no Chromium at ${CHROMIUM_PATH}: install Debian's chromium, or set CHROMIUM_PATH to where it is.`;

export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM_PATH, args: FLAGS });
}
