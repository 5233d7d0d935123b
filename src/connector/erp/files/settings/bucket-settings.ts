// What a person enters to have batches put into a bucket, and what is made of it.
import { z } from 'zod';
import type { BucketKeys } from '../s3-signature.js';

/** Where batches are put. */
export interface BucketSettings extends BucketKeys {
  /** Without trailing slash. */
  readonly address: string;
  readonly bucket: string;
  /** Empty, or with a trailing slash. */
  readonly prefix: string;
}

export const bucketFields = {
  bucketAddress: z
    .string()
    .max(500)
    .optional()
    .meta({
      format: 'uri',
      title: 'Address of an S3-compatible store',
      description:
        'Each closed batch is put there as well, for instance https://s3.eu-north-1.amazonaws.com. Empty: nowhere.',
      translations: {
        de: {
          title: 'Adresse eines S3-kompatiblen Speichers',
          description:
            'Jede fertige Datei wird auch dort abgelegt, zum Beispiel unter https://s3.eu-north-1.amazonaws.com. Leer: nirgends.',
        },
      },
    }),
  bucketName: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'write the name of a bucket: small letters, digits, hyphens, dots')
    .optional()
    .meta({
      title: 'Bucket',
      description: 'Its name, as the store shows it.',
      translations: { de: { title: 'Bucket', description: 'Sein Name, wie der Speicher ihn zeigt.' } },
    }),
  bucketPrefix: z
    .string()
    .max(200)
    .regex(/^([\w-][\w.-]*(\/[\w-][\w.-]*)*\/?)?$/, 'write names with slashes between them, for instance books/2026')
    .default('')
    .meta({
      title: 'Folder in the bucket',
      description: 'In it, each connection has a folder of its own.',
      translations: {
        de: { title: 'Ordner im Bucket', description: 'Darin hat jede Verbindung einen eigenen Ordner.' },
      },
    }),
  bucketRegion: z
    .string()
    .regex(/^[a-z0-9-]{1,50}$/, 'write for instance eu-north-1')
    .default('us-east-1')
    .meta({
      title: 'Region of the bucket',
      description: 'us-east-1 where the store has none.',
      translations: { de: { title: 'Region des Buckets', description: 'us-east-1, wo der Speicher keine hat.' } },
    }),
  bucketAccessKeyId: z
    .string()
    .regex(/^[\w-]{1,128}$/, 'it has letters and digits')
    .optional()
    .meta({
      title: 'Access key id',
      description: 'It has to be allowed to put objects, and nothing else.',
      translations: {
        de: {
          title: 'Kennung des Zugriffsschlüssels',
          description: 'Er muss Objekte ablegen dürfen, und sonst nichts.',
        },
      },
    }),
  bucketSecretAccessKey: z
    .string()
    .trim()
    .min(8)
    .max(200)
    .optional()
    .meta({
      title: 'Secret access key',
      description: 'Of that access key; it is not shown again.',
      translations: {
        de: { title: 'Geheimer Zugriffsschlüssel', description: 'Zu dieser Kennung; er wird nicht wieder angezeigt.' },
      },
    }),
};

/** @param problems gets a sentence for each part that is missing or wrong */
export function readBucket(
  entered: z.output<z.ZodObject<typeof bucketFields>>,
  problems: string[],
): BucketSettings | undefined {
  const { bucketAddress, bucketName, bucketPrefix, bucketRegion: region } = entered;
  const { bucketAccessKeyId: accessKeyId, bucketSecretAccessKey: secretAccessKey } = entered;
  if (!bucketAddress || !bucketName || !accessKeyId || !secretAccessKey) {
    // A key that was entered once stays behind a store that is not named any more.
    if (bucketAddress || bucketName)
      problems.push(
        'An S3-compatible store needs its address, the bucket and both parts of an access key: add what is missing, or empty address and bucket.',
      );
    return undefined;
  }
  if (!isPlainAddress(bucketAddress))
    problems.push(
      'Address of an S3-compatible store: write it without user, query and fragment, beginning with https://.',
    );
  const prefix = bucketPrefix === '' ? '' : `${bucketPrefix.replace(/\/$/, '')}/`;
  const address = bucketAddress.replace(/\/+$/, '');
  return { address, bucket: bucketName, prefix, region, accessKeyId, secretAccessKey };
}

function isPlainAddress(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === '')
  );
}
