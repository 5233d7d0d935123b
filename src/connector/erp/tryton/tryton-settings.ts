// What a person enters to connect Tryton.
import { z } from 'zod';
import { canonicalAddress } from '../kit/address-setting.js';

const DEFAULT_REQUEST_SECONDS = 60;
const line = z.string().min(1).max(500);

export const trytonSettings = z.strictObject({
  address: line
    .meta({
      format: 'uri',
      title: 'Address',
      description: 'Where Tryton is reached, for instance https://tryton.example.com',
      translations: {
        de: {
          title: 'Adresse',
          description: 'Unter der Tryton zu erreichen ist, zum Beispiel https://tryton.example.com',
        },
      },
    })
    .transform(canonicalAddress),
  database: line.meta({ title: 'Database', translations: { de: { title: 'Datenbank' } } }),
  user: line.meta({
    title: 'User',
    description:
      'A user of its own for the connector, in the groups Account, Account Administration (it deletes its own drafts) and Party Administration',
    translations: {
      de: {
        title: 'Benutzer',
        description:
          'Ein eigener Benutzer für den Konnektor, in den Gruppen Account, Account Administration (er löscht seine eigenen Entwürfe) und Party Administration',
      },
    },
  }),
  password: line.meta({ title: 'Password', translations: { de: { title: 'Passwort' } } }),
  journal: line.meta({
    title: 'Journal',
    description: 'Code of the journal that entries are posted to; best one that nothing else is posted to',
    translations: {
      de: {
        title: 'Journal',
        description: 'Code des Journals, in das gebucht wird; am besten eines, in das sonst nichts gebucht wird',
      },
    },
  }),
  analyticAccounts: z
    .boolean()
    .default(false)
    .meta({
      title: 'Analytic accounts',
      description: 'Whether the module analytic_account is in use: its roots are offered as dimensions',
      translations: {
        de: {
          title: 'Analytische Konten',
          description: 'Ob das Modul analytic_account verwendet wird: Seine Wurzeln werden als Dimensionen angeboten',
        },
      },
    }),
  requestSeconds: z
    .int()
    .min(1)
    .max(3_600)
    .default(DEFAULT_REQUEST_SECONDS)
    .meta({
      title: 'Longest request in seconds',
      description: 'How long Tryton, or a proxy before it, may go on with a request after the connection was lost',
      translations: {
        de: {
          title: 'Längste Anfrage in Sekunden',
          description:
            'Wie lange Tryton, oder ein Proxy davor, an einer Anfrage weiterarbeiten kann, nachdem die Verbindung verloren ging',
        },
      },
    }),
});
export type TrytonSettings = z.output<typeof trytonSettings>;
