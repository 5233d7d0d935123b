// What a class of requests can hold, as its decorators say: which names, lists of which length, and other such classes. It is
// compared before anything is transformed and validated, which costs many times more by each name and element.
import { plainToInstance, type ClassConstructor } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import type { InvalidValue } from './problem.js';
import { pointerPart, shownName, valueCheck } from './value-check.js';

/** The name that `@ArrayMaxSize()` gives its constraint. */
const ARRAY_MAX_SIZE = 'arrayMaxSize';
/** What `@ValidateNested()` is called where validations are listed. */
const NESTED = 'nestedValidation';

interface RequestShape {
  readonly names: ReadonlySet<string>;
  readonly maxLengths: ReadonlyMap<string, number>;
  readonly nested: ReadonlyMap<string, ClassConstructor<object>>;
}

/** Names that a class does not have, and lists that are too long, with what is in them. */
export interface Misfits {
  readonly tooLong: readonly InvalidValue[];
  readonly unknown: readonly InvalidValue[];
}

const shapes = new Map<ClassConstructor<object>, RequestShape>();

/** @param most of each kind, where the search ends */
export function misfitsOf(value: object, type: ClassConstructor<object>, most: number): Misfits {
  const found = { tooLong: [] as InvalidValue[], unknown: [] as InvalidValue[] };
  collect(value, type, '', (kind, misfit) => {
    found[kind].push(misfit);
    return found[kind].length >= most;
  });
  return found;
}

/** @returns whether to end the search */
type Report = (kind: keyof Misfits, misfit: InvalidValue) => boolean;

function collect(value: object, type: ClassConstructor<object>, parent: string, report: Report): boolean {
  const { names, maxLengths, nested } = shapeOf(type);
  return Object.entries(value).some(([name, inner]: [string, unknown]) => {
    const pointer = `${parent}/${pointerPart(name)}`;
    if (!names.has(name)) {
      const detail = `property ${shownName(name)} should not exist`;
      return report('unknown', valueCheck(pointer, 'whitelistValidation', detail));
    }
    const most = maxLengths.get(name) ?? Infinity;
    if (Array.isArray(inner) && inner.length > most) {
      const detail = `${name} must contain no more than ${most.toString()} elements`;
      return report('tooLong', valueCheck(pointer, 'arrayMaxSize', detail, most.toString()));
    }
    const innerType = nested.get(name);
    if (innerType === undefined || typeof inner !== 'object' || inner === null) {
      return false;
    }
    return Array.isArray(inner)
      ? inner.some((each: unknown, index) =>
          typeof each === 'object' && each !== null
            ? collect(each, innerType, `${pointer}/${index.toString()}`, report)
            : false,
        )
      : collect(inner, innerType, pointer, report);
  });
}

function shapeOf(type: ClassConstructor<object>): RequestShape {
  const known = shapes.get(type);
  if (known !== undefined) {
    return known;
  }
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const shape = {
    names: new Set(rules.map(({ propertyName }) => propertyName)),
    maxLengths: new Map(
      rules
        .filter(({ name }) => name === ARRAY_MAX_SIZE)
        .map(({ propertyName, constraints }) => [propertyName, Number((constraints as unknown[])[0])]),
    ),
    nested: new Map(
      rules
        .filter((rule) => rule.type === NESTED)
        .map(({ propertyName }) => [propertyName, nestedType(type, propertyName)]),
    ),
  };
  shapes.set(type, shape);
  return shape;
}

/** What transforming makes of an object at this place. */
function nestedType(type: ClassConstructor<object>, name: string): ClassConstructor<object> {
  const made: unknown = Reflect.get(plainToInstance(type, { [name]: {} }), name);
  return (made as object).constructor as ClassConstructor<object>;
}
