import type { FilesSettings } from '../settings/files-settings.js';
import { csvFile } from './csv-file.js';
import { datevFile } from './datev-file.js';
import type { JournalFormat } from './journal-file.js';
import { sieFile } from './sie-file.js';

export const fileFormats: Readonly<Record<FilesSettings['format'], JournalFormat>> = {
  sie: sieFile,
  datev: datevFile,
  csv: csvFile,
};
