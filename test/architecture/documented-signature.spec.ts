import { expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [, code = ''] = /^```js\n([\s\S]*?)^```/m.exec(readFileSync('docs/simulator.md', 'utf8')) ?? [];

/** The vector of the reference suite of Standard Webhooks. */
const VECTOR = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,bm9uc2Vuc2U= v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};
const BODY = '{"test": 2432232314}';

it('the signature check shown in docs/simulator.md accepts what is signed, and nothing else', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'signature-')), 'verify.mjs');
  const cases = [
    [VECTOR, BODY, 1_614_265_330],
    [VECTOR, `${BODY} `, 1_614_265_330],
    [VECTOR, BODY, 1_614_265_630.5],
    [{ ...VECTOR, 'webhook-id': 'msg_other' }, BODY, 1_614_265_330],
  ];
  writeFileSync(
    file,
    `${code}
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
console.log(JSON.stringify(${JSON.stringify(cases)}.map(([headers, body, now]) => isSigned(headers, Buffer.from(body), secret, now))));`,
  );
  const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  expect([stdout.trim(), stderr]).toEqual(['[true,false,false,false]', '']);
});
