import { describe, expect, it } from '@jest/globals';
import { needsTls } from './mailer.js';

describe('a mail server', () => {
  it.each([
    ['smtp://mail.example.com:587', true],
    ['smtp://user:word@mail.example.com', true],
    ['smtp://8.8.8.8:25', true],
    ['smtp://127.0.0.1:1025', false],
    ['smtp://10.1.2.3', false],
    ['smtp://mailer:25', false],
    ['smtp://mail.internal', false],
    // Encrypted from the first byte.
    ['smtps://mail.example.com', false],
  ])('at %s must offer encryption: %s', (url, needed) => {
    expect(needsTls(url)).toBe(needed);
  });
});
