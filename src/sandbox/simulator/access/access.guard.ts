import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Bug } from '../../../kernel/faults.js';
import { ACCESS_RULE, type AccessRule } from './access-rules.js';
import { ControlGuard } from './control.guard.js';
import { PlatformAccessGuard } from './platform-access.guard.js';

/** The guard of the whole program: applies the access rule of the controller. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly platformAccessGuard: PlatformAccessGuard,
    private readonly controlGuard: ControlGuard,
  ) {}

  /** @throws ApiError 401, 403, 429 as the rule says; Bug for a controller without a rule, which admits no one */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const controller = context.getClass();
    switch (this.reflector.get<AccessRule | undefined>(ACCESS_RULE, controller)) {
      case 'platform':
        return this.platformAccessGuard.canActivate(context);
      case 'control':
        return this.controlGuard.canActivate(context);
      case 'without-credential':
        return true;
      case undefined:
        throw new Bug(`${controller.name} has no access rule`);
    }
  }
}
