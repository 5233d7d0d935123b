import { ApiError } from '../wire/api-error.js';

/** A vendor counts as existing when it has the same `externalId` in the same company (P13). */
export function vendorConflict(): ApiError {
  return new ApiError(409, 'VENDOR_ALREADY_EXISTS', 'A vendor with the same externalId exists in this company.');
}
