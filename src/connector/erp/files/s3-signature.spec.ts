import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { signed } from './s3-signature.js';

// The examples of "Signature Calculations for the Authorization Header" in the documentation of Amazon S3.

const KEYS = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const AT = new Date('2013-05-24T00:00:00Z');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

it.each([
  ['GET', '/test.txt', { range: 'bytes=0-9' }, '', 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'],
  [
    'PUT',
    '/test%24file.text',
    { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    'Welcome to Amazon S3.',
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
] as const)('%s %s has the published signature', (method, path, headers, body, signature) => {
  const url = new URL(`https://examplebucket.s3.amazonaws.com${path}`);
  const sent = signed({ method, url, headers, bodySha256: sha256(body) }, KEYS, AT);
  expect(sent['authorization']).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE\/20130524\/us-east-1\/s3\/aws4_request,SignedHeaders=[a-z0-9;-]+,/,
  );
  expect(sent['authorization']?.split('Signature=')[1]).toBe(signature);
  expect(sent['x-amz-date']).toBe('20130524T000000Z');
});
