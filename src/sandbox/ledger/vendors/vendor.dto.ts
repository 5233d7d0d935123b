import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { bodyOf, pageOf } from '../http/page.js';
import {
  text,
  code,
  optionalText,
  optionalCode,
  optionalFlag,
  optionalCurrency,
  optionalCountry,
} from '../http/field.js';

class VendorData extends shape({
  externalId: optionalCode(),
  name: text(),
  country: optionalCountry(),
  registrationNumber: optionalCode(),
  taxRegistrationNumber: optionalCode(),
  /** The vendor's own accounts-payable account. */
  payableAccountCode: optionalCode(),
  defaultCurrency: optionalCurrency(),
  isEmployee: optionalFlag(false),
  blocked: optionalFlag(false),
  archived: optionalFlag(false),
}) {}

/** A vendor as it is created one at a time. */
export class NewVendorDto extends shapeWith(VendorData, {
  /** The next free number, such as V-00001, when absent. */
  number: optionalCode(),
  /** Names this one creation: the same key again returns what it made. Also as header `Idempotency-Key`. */
  key: optionalText(),
}) {}

export class VendorDto extends shapeWith(VendorData, {
  number: code(),
}) {}

export class StoredVendorDto extends shapeWith(VendorDto, { id: field.uuid() }) {}

export class VendorsDto extends bodyOf(VendorDto, (vendor) => vendor.number) {}

export class CreatedVendorDto extends shape({
  outcome: field.oneOf(['created', 'existed']),
  vendor: field.one(StoredVendorDto),
}) {}

export class VendorPage extends pageOf(StoredVendorDto) {}
