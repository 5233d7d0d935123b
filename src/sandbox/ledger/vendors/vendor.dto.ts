import { MAX_CODE_LENGTH, OptionalCountry, OptionalCurrency, OptionalFlag, OptionalText, Text } from '../http/field.js';
import { bodyOf, pageOf } from '../http/page.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';

class VendorData {
  @OptionalText(MAX_CODE_LENGTH)
  readonly externalId?: string | null;

  @Text()
  readonly name!: string;

  @OptionalCountry()
  readonly country?: string | null;

  @OptionalText(MAX_CODE_LENGTH)
  readonly registrationNumber?: string | null;

  @OptionalText(MAX_CODE_LENGTH)
  readonly taxRegistrationNumber?: string | null;

  /** The vendor's own accounts-payable account. */
  @OptionalText(MAX_CODE_LENGTH)
  readonly payableAccountCode?: string | null;

  @OptionalCurrency()
  readonly defaultCurrency?: string | null;

  @OptionalFlag(false)
  readonly isEmployee: boolean = false;

  @OptionalFlag(false)
  readonly blocked: boolean = false;

  @OptionalFlag(false)
  readonly archived: boolean = false;
}

/** A vendor as it is created one at a time. */
export class NewVendorDto extends VendorData {
  /** The next free number, such as V-00001, when absent. */
  @OptionalText(MAX_CODE_LENGTH)
  readonly number?: string | null;

  /** Names this one creation: the same key again returns what it made. Also as header `Idempotency-Key`. */
  @OptionalText()
  readonly key?: string | null;
}

export class VendorDto extends VendorData {
  @Text(MAX_CODE_LENGTH)
  readonly number!: string;
}

export class StoredVendorDto extends shapeWith(VendorDto, { id: field.uuid() }) {}

export class VendorsDto extends bodyOf(VendorDto, (vendor) => vendor.number) {}

export class CreatedVendorDto extends shape({
  outcome: field.oneOf(['created', 'existed']),
  vendor: field.one(StoredVendorDto),
}) {}

export class VendorPage extends pageOf(StoredVendorDto) {}
