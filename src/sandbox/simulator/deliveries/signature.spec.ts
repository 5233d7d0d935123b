import { describe, expect, it } from '@jest/globals';
import { signNotification } from './signature.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

describe('signNotification', () => {
  it.each([
    [
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1_614_265_330,
      '{"test": 2432232314}',
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    ],
    ['evt', 1_768_471_200, '1768471201.{"x":1}', 'v1,BMZaJT37m30Szh4jK5GWSTw0lcVRDH5uamcNqaQau6s='],
  ])('gives the reference vector of %s', (id, timestamp, body, signature) => {
    expect(signNotification([SECRET], id, timestamp, body)).toBe(signature);
  });

  it('signs with each secret while two are valid', () => {
    const one = signNotification([SECRET], 'evt', 1, '{}');
    const other = signNotification(['whsec_AAAA'], 'evt', 1, '{}');
    expect(signNotification([SECRET, 'whsec_AAAA'], 'evt', 1, '{}')).toBe(`${one} ${other}`);
    expect(one).not.toBe(other);
  });
});
