// Which callers a controller admits. Every controller of the simulator carries one of these rules.
import { SetMetadata } from '@nestjs/common';

export const ACCESS_RULE = 'simulator:access';
export type AccessRule = 'platform' | 'control' | 'without-credential';

/** Callers with a credential of the platform. `PlatformApi` includes it. */
export const PlatformCredential = () => SetMetadata(ACCESS_RULE, 'platform' satisfies AccessRule);

/** Callers of this machine, or all when the control is open. */
export const ControlApi = () => SetMetadata(ACCESS_RULE, 'control' satisfies AccessRule);

/** Callers that the route itself checks, if at all. */
export const WithoutCredential = () => SetMetadata(ACCESS_RULE, 'without-credential' satisfies AccessRule);
