import { Injectable } from '@nestjs/common';
import { AttemptCookie } from './attempt-cookie.js';
import { BeginAuthorization } from './begin-authorization.js';

/** Sends people to the platform to prove who they are; they come back at `/oauth/callback`. */
@Injectable()
export class SignInService {
  constructor(
    private readonly authorization: BeginAuthorization,
    private readonly cookie: AttemptCookie,
  ) {}

  /** @returns where the browser goes, and the `set-cookie` header it takes along */
  async begin(): Promise<{ readonly location: string; readonly cookie: string }> {
    const { location, browser } = await this.authorization.run('sign-in');
    return { location: location.toString(), cookie: this.cookie.remember(browser) };
  }
}
