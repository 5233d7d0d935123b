// Holds requests and answers against an OpenAPI 3.0 document.
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { at, type Exchange } from '../conformance/platform.js';

interface Operation {
  readonly method: string;
  readonly pattern: RegExp;
  readonly described: unknown;
}

export class OpenApiContract {
  private readonly ajv = new Ajv({ strict: false, allErrors: true });
  private readonly compiled = new Map<unknown, ValidateFunction>();
  private readonly operations: readonly Operation[];

  /** @param document without references */
  constructor(document: unknown) {
    addFormats.default(this.ajv);
    this.operations = Object.entries(Object.assign({}, at(document, 'paths'))).flatMap(([path, methods]) =>
      Object.entries(Object.assign({}, methods)).map(([method, described]) => ({
        method: method.toUpperCase(),
        pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/:]+')}$`),
        described,
      })),
    );
  }

  /** @returns what an exchange says or does that the document does not */
  problems(exchange: Exchange): readonly string[] {
    const { method, path, status } = exchange;
    const operation = this.operations.find((each) => each.method === method && each.pattern.test(path));
    if (operation === undefined) {
      return [`${method} ${path}: not documented`];
    }
    const answer = at(operation.described, 'responses', status.toString());
    if (answer === undefined) {
      return [`${method} ${path}: status ${status} is not documented`];
    }
    const found = [
      ...this.compare(at(answer, 'content', 'application/json', 'schema'), exchange.response),
      ...(status < 300 ? this.requestProblems(operation.described, exchange) : []),
    ];
    return found.map((problem) => `${method} ${path} ${status}: ${problem}`);
  }

  private requestProblems(described: unknown, { query, request }: Exchange): readonly string[] {
    const parameters = at(described, 'parameters');
    const names = (Array.isArray(parameters) ? parameters : []).map((each) => at(each, 'name'));
    const unknown = [...query.keys()].filter((name) => !names.includes(name));
    const schema = at(described, 'requestBody', 'content', 'application/json', 'schema');
    return [
      ...unknown.map((name) => `query parameter ${name} is not documented`),
      ...(request === undefined ? [] : this.compare(schema, JSON.parse(JSON.stringify(request)))),
    ];
  }

  /** Without a schema there must be no content. */
  private compare(schema: unknown, content: unknown): readonly string[] {
    if (schema === undefined) {
      return content === undefined ? [] : ['content is not documented'];
    }
    const validate = this.validatorOf(schema);
    return validate(content) ? [] : [this.ajv.errorsText(validate.errors)];
  }

  private validatorOf(schema: unknown): ValidateFunction {
    const known = this.compiled.get(schema);
    if (known !== undefined) {
      return known;
    }
    const fresh = this.ajv.compile(Object.assign({}, schema));
    this.compiled.set(schema, fresh);
    return fresh;
  }
}
