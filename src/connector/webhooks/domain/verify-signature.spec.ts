import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { signingKey } from '../../installations/subscription/signing-key.js';
import { verifySignature, type SignedNotification, type TimestampMeaning } from './verify-signature.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER_SECRET = `whsec_${Buffer.from('another secret of 24 byte').toString('base64')}`;
const NOW = 1_768_471_200;
const BODY = Buffer.from('{"test": 2432232314}');

function mac(id: string, timestamp: string, body: Buffer, secret = SECRET): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

function message(changes: Partial<SignedNotification> = {}): SignedNotification {
  const id = 'id' in changes ? changes.id : 'msg_0001';
  const timestamp = 'timestamp' in changes ? changes.timestamp : NOW.toString();
  const body = changes.body ?? BODY;
  return { id, timestamp, body, signature: mac(id ?? '', timestamp ?? '', body), ...changes };
}

const verify = (signed: SignedNotification, now = NOW, secrets = [SECRET], meaning: TimestampMeaning = 'attempt') =>
  verifySignature(signed, secrets.map(signingKey), meaning, now);
const REFUSED = { verified: false, stale: false };
const STALE = { verified: false, stale: true };

describe('reference vectors', () => {
  it('the message of the reference suite verifies [V1]', () => {
    const signed = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: '1614265330',
      body: BODY,
      signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    };
    expect(verify(signed, 1_614_265_330)).toEqual({
      verified: true,
      webhookId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    });
  });

  it('the raw bytes are signed, not their lossy decoding [V2]', () => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const signed = { id: 'msg_0002', timestamp: '1768471200', body };
    const raw = 'v1,PWacyCYdbhpj2dVndrBIl2n2U7zkyYh2GXh4QzdwtoM=';
    const lossy = 'v1,z2jkoWMnZWk+pDJzcyP7X0t/y81XBknB+MTs69vXtqI=';
    expect(verify({ ...signed, signature: raw })).toEqual({ verified: true, webhookId: 'msg_0002' });
    expect(verify({ ...signed, signature: lossy })).toEqual(REFUSED);
  });

  it('a dot cannot shift the boundaries of id, timestamp and body [V3]', () => {
    const signature = 'v1,BMZaJT37m30Szh4jK5GWSTw0lcVRDH5uamcNqaQau6s=';
    const first = { id: 'evt', timestamp: '1768471200', body: Buffer.from('1768471201.{"x":1}'), signature };
    const second = { id: 'evt.1768471200', timestamp: '1768471201', body: Buffer.from('{"x":1}'), signature };
    expect(verify(first)).toEqual({ verified: true, webhookId: 'evt' });
    expect(verify(second)).toEqual(REFUSED);
  });

  it('either secret verifies during a rotation, in either order [V4]', () => {
    const old = mac('msg_0001', NOW.toString(), BODY, SECRET);
    const fresh = mac('msg_0001', NOW.toString(), BODY, OTHER_SECRET);
    for (const signature of [`${old} ${fresh}`, `${fresh} ${old}`]) {
      for (const secret of [SECRET, OTHER_SECRET]) {
        expect(verify(message({ signature }), NOW, [secret])).toEqual({
          verified: true,
          webhookId: 'msg_0001',
        });
      }
    }
    expect(verify(message({ signature: old }), NOW, [OTHER_SECRET, SECRET]).verified).toBe(true);
  });

  it('agrees with the reference library on what it signs', () => {
    const signature = new Webhook(SECRET).sign('msg_0001', new Date(NOW * 1_000), BODY.toString());
    expect(verify(message({ signature })).verified).toBe(true);
  });
});

describe('header grammar', () => {
  it.each([undefined, '', 'a.b', 'a b', 'a\r\nb', 'ä', 'x'.repeat(129)])('refuses the id %j', (id) => {
    expect(verify(message({ id }))).toEqual(REFUSED);
  });

  it('refuses a missing id that was signed as "undefined"', () => {
    const signature = mac('undefined', NOW.toString(), BODY);
    expect(verify(message({ id: undefined, signature }))).toEqual(REFUSED);
  });

  it.each([
    undefined,
    'hello',
    '',
    '-1',
    '1e9',
    '0x10',
    '1768471200abc',
    ' 1768471200',
    '1768471200.9',
    '１７６８４７１２００',
    '1000000000000000000000000000000',
    '1768471200000',
    '1768471200, 1768471200',
  ])('refuses the timestamp %j', (timestamp) => {
    expect(verify(message({ timestamp }))).toEqual(REFUSED);
  });

  const right = mac('msg_0001', NOW.toString(), BODY);
  const base64 = right.slice(3);
  it.each([
    undefined,
    '',
    'v1',
    'v1,',
    ',abc',
    right.slice(0, -4),
    `v1,${base64.replace(/.$/, '')}`,
    `${right}\n`,
    `v2,${base64}`,
    `v1a,${base64}`,
    `V1,${base64}`,
    base64,
    `v1,${base64.replace(/[+/]/g, '-')}!`,
    `x${right}`,
  ])('refuses the signature %j', (signature) => {
    expect(verify(message({ signature }))).toEqual(REFUSED);
  });

  it('finds the valid signature in a list of invalid and unknown ones', () => {
    const wrong = mac('msg_0001', NOW.toString(), Buffer.from('x'));
    expect(verify(message({ signature: `${wrong} v2,abc ${right} ${wrong}` })).verified).toBe(true);
  });

  it('reads a header of at most 4,096 characters', () => {
    const padded = (length: number) => `${right} ${'x'.repeat(length - right.length - 1)}`;
    expect(verify(message({ signature: padded(4_096) })).verified).toBe(true);
    expect(verify(message({ signature: padded(4_097) }))).toEqual(REFUSED);
  });

  it('compares at most eight signatures', () => {
    const wrong = mac('msg_0001', NOW.toString(), Buffer.from('x'));
    expect(verify(message({ signature: `${`${wrong} `.repeat(7)}${right}` })).verified).toBe(true);
    expect(verify(message({ signature: `${`${wrong} `.repeat(8)}${right}` }))).toEqual(REFUSED);
  });
});

describe('time', () => {
  it.each([
    [300, true],
    [301, false],
    [-300, true],
    [-301, false],
  ])('a message %i seconds old verifies: %s', (age, verified) => {
    const expected = verified ? { verified: true, webhookId: 'msg_0001' } : STALE;
    expect(verify(message(), NOW + age)).toEqual(expected);
  });

  it.each([
    [30 * 3_600, true],
    [34 * 3_600, false],
    [-301, false],
  ])('with generation time, %i seconds old verifies: %s', (age, verified) => {
    expect(verify(message(), NOW + age, [SECRET], 'generation').verified).toBe(verified);
  });

  it('a forged old message is not reported as stale', () => {
    expect(
      verify(message({ body: Buffer.from('forged'), signature: mac('msg_0001', NOW.toString(), BODY) }), NOW + 9_999),
    ).toEqual(REFUSED);
  });
});

describe('signing secrets', () => {
  it.each(['', 'whsec_', 'whsec_YQ=='])('the secret %j never verifies anything', (secret) => {
    expect(() => verify(message(), NOW, [secret])).toThrow('secret of the subscription is empty');
  });

  it.each([
    [15, false],
    [16, true],
  ])('of %i bytes is long enough: %s', (bytes, isLongEnough) => {
    const secret = `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
    const signed = message({ signature: mac('msg_0001', NOW.toString(), BODY, secret) });
    const given = () => verify(signed, NOW, [secret]).verified;
    if (isLongEnough) {
      expect(given()).toBe(true);
    } else {
      expect(given).toThrow('too short');
    }
  });

  it('without any secret nothing verifies', () => {
    expect(verify(message(), NOW, [])).toEqual(REFUSED);
  });

  it('a message signed for another tenant does not verify', () => {
    expect(verify(message({ signature: mac('msg_0001', NOW.toString(), BODY, OTHER_SECRET) }))).toEqual(REFUSED);
  });
});
