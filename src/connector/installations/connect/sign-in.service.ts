import { Injectable } from '@nestjs/common';
import { AttemptCookie } from './attempt-cookie.js';
import { BeginAuthorization } from './begin-authorization.js';

/** Sends people to the platform to prove who they are; they come back at `/oauth/callback`. */
@Injectable()
export class SignInService {
  constructor(
    private readonly beginAuthorization: BeginAuthorization,
    private readonly attemptCookie: AttemptCookie,
  ) {}

  /** @returns where the browser goes, and the `set-cookie` header it takes along */
  async begin(): Promise<{ readonly location: string; readonly cookie: string }> {
    const { location, browser } = await this.beginAuthorization.begin('sign-in');
    return { location: location.toString(), cookie: this.attemptCookie.setCookieHeader(browser) };
  }
}
