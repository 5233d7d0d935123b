import { SetMetadata, type CustomDecorator } from '@nestjs/common';

export const PUBLIC = 'ledger:public';

/** Marks a route that needs no key. */
export const Public = (): CustomDecorator => SetMetadata(PUBLIC, true);
