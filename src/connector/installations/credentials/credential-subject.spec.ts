import { describe, expect, it } from '@jest/globals';
import { InvalidPlatformResponse } from '../../platform/platform-error.js';
import { credentialSubject } from './credential-subject.js';

const ID = '63aa08cd-1bb6-4d4d-9a3a-29ef6300c14d';

describe('the subject of a credential', () => {
  it.each([
    ['platform', 'company', 'company'],
    ['platform', 'organisation', 'organization'],
    ['expense-platform', 'company', 'company'],
    ['platform2', 'organisation', 'organization'],
  ])('is read under the name %s', (name, kind, level) => {
    expect(credentialSubject(`urn:${name}:${kind}:${ID}`)).toEqual({ level, id: ID });
  });

  it('is read in any case of scheme, name and id (RFC 8141 §3.1)', () => {
    expect(credentialSubject(`URN:Platform:company:${ID.toUpperCase()}`)).toEqual({ level: 'company', id: ID });
  });

  it.each([
    `urn:platform:employee:${ID}`,
    'urn:platform:company:12',
    `urn:platform:${ID}`,
    `urn:-platform:company:${ID}`,
    `urn:plat form:company:${ID}`,
    `platform:company:${ID}`,
    `urn:platform:company:${ID}:more`,
    '',
  ])('is not read from "%s"', (urn) => {
    expect(() => credentialSubject(urn)).toThrow(InvalidPlatformResponse);
  });
});
