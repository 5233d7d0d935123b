import { userInfo } from 'node:os';
import { expect, it } from '@jest/globals';
import { userName } from './user-name.js';

it('is the name of the account', () => {
  expect(userName()).toBe(userInfo().username);
});

it('is the id of a user without an account', () => {
  const noAccount = () => {
    throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT (no such file or directory)');
  };
  expect(userName(noAccount)).toBe(`user id ${process.getuid?.().toString() ?? 'unknown'}`);
});
