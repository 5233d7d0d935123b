import { keyRingSecrets, readStore } from './stored-secrets.js';

/** Shorter ones are the words of a test, and would be found anywhere. */
const MIN_LENGTH = 16;
const MIN_FORM_LENGTH = 12;

/** Settings that are secret as a whole. */
const SECRET_SETTINGS = ['PLATFORM_CLIENT_SECRET', 'LEDGER_API_KEY', 'OPERATOR_TOKEN'];
/** Addresses with a password in them. */
const SECRET_ADDRESSES = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'CONNECTOR_SMTP_URL'];

/** Of a client at the authorization server of an ERP. */
const isClientSecret = (name: string) => /^ERP_.+_CLIENT_SECRET$/.test(name);

type Headers = Readonly<Record<string, string | readonly string[] | number | undefined>>;

interface Lines {
  write(line: string): void;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
}

export interface SeenResponse {
  readonly headers: Headers;
  readonly body: string;
}

/**
 * The secrets of one run, and everything the programs said and kept during it, in which none of them may stand
 * (I20, S56). What it finds it reports by the secret's kind and the place, never by its value.
 */
export class SecretSearch {
  /** By value, as it was first met. */
  private readonly kinds = new Map<string, string>();
  private readonly texts = new Map<string, string[]>();

  /** @param environment of the connector */
  constructor(private readonly environment: Readonly<Record<string, string>>) {
    for (const name of [...SECRET_SETTINGS, ...Object.keys(environment).filter(isClientSecret)]) {
      this.learn(name, environment[name]);
    }
    for (const name of SECRET_ADDRESSES) {
      const address = environment[name];
      this.learn(`password of ${name}`, address === undefined ? undefined : new URL(address).password);
    }
    for (const key of keyRingSecrets(environment['CREDENTIAL_KEYS'])) {
      this.learn('key of CREDENTIAL_KEYS', key);
    }
  }

  /** Kinds of what is searched for. */
  get known(): ReadonlySet<string> {
    return new Set(this.kinds.values());
  }

  /** Names of what is searched. */
  get places(): readonly string[] {
    return [...this.texts.keys()];
  }

  textOf(place: string): string {
    return (this.texts.get(place) ?? []).join('\n');
  }

  learn(kind: string, secret: string | undefined): void {
    if (secret !== undefined && secret.length >= MIN_LENGTH && !this.kinds.has(secret)) {
      this.kinds.set(secret, kind);
    }
  }

  /** Adds text to what is searched. */
  addText(place: string, text: string): void {
    const texts = this.texts.get(place) ?? [];
    texts.push(text);
    this.texts.set(place, texts);
  }

  /**
   * Takes the lines of a program in this process.
   * @param lines takes them, too
   */
  logOf(program: string, lines?: Lines): Lines {
    return {
      write: (line) => {
        this.addText(`log of the ${program}`, line);
        lines?.write(line);
      },
    };
  }

  /** Learns what a caller of the connector, or the connector itself, has shown who it is with. */
  learnRequest({ path, headers }: SeenRequest): void {
    const { pathname, searchParams } = new URL(path, 'http://x');
    this.learn('credential of a request', valuesOf(headers, 'authorization')[0]?.split(' ')[1]);
    this.learn('webhook header', valuesOf(headers, 'x-connector-key')[0]);
    if (pathname.startsWith('/webhooks/')) {
      this.learn('webhook address', pathname.slice('/webhooks/'.length));
    }
    if (pathname.startsWith('/oauth/')) {
      this.learn('authorization code', searchParams.get('code') ?? undefined);
      this.learn('state', searchParams.get('state') ?? undefined);
    }
  }

  /** Learns what an answer of the connector hands out once, and searches the rest of it. */
  learnResponse({ method, path }: SeenRequest, { headers, body }: SeenResponse): void {
    for (const cookie of valuesOf(headers, 'set-cookie')) {
      this.learn('cookie', /=([^;]*)/.exec(cookie)?.[1]);
    }
    const [pathname = ''] = path.split('?', 1);
    const rest =
      method !== 'GET' && /\/(api-tokens|alert-settings)$/.test(pathname)
        ? body.replace(/"(token|secret)":"([^"]+)"/, (_, name: string, secret: string) => {
            this.learn(name === 'token' ? 'API token' : 'alert secret', secret);
            return `"${name}":""`;
          })
        : body;
    this.addText(`answers of the connector to ${method} ${placeOf(pathname)}`, rest);
  }

  /**
   * Learns what the connector's tables hold sealed, and searches them, too; before the database is dropped.
   * @throws Error that names every secret that got out
   */
  async end(databaseUrl: string): Promise<void> {
    await this.readTables(databaseUrl);
    const leaks = this.leaks();
    if (leaks.length > 0) {
      throw new Error(`secrets got out: ${leaks.join('; ')}`);
    }
  }

  private async readTables(databaseUrl: string): Promise<void> {
    const { secrets, tables } = await readStore(databaseUrl, this.environment['CREDENTIAL_KEYS']);
    for (const [kind, secret] of secrets) {
      this.learn(kind, secret);
    }
    for (const [name, text] of tables) {
      this.addText(`table ${name}`, text);
    }
  }

  /** @returns `<kind of secret> in <place>` for each that is where it must not be */
  leaks(): readonly string[] {
    const secrets = [...this.kinds].map(([secret, kind]) => ({ kind, forms: formsOf(secret) }));
    const found = this.places.flatMap((place) => {
      const text = this.textOf(place);
      return secrets
        .filter(({ forms }) => forms.some((form) => text.includes(form)))
        .map(({ kind }) => `${kind} in ${place}`);
    });
    return [...new Set(found)].sort();
  }
}

function valuesOf(headers: Headers, name: string): readonly string[] {
  return [headers[name] ?? []].flat().map(String);
}

/** What all requests of a kind have in common; the rest of an address may be secret. */
function placeOf(pathname: string): string {
  const parts = pathname.split('/');
  return parts.slice(0, parts[1] === 'api' ? 4 : 2).join('/');
}

/** The forms in which a secret may lie about. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const bare = secret.replace(/^whsec_/, '');
  const whole = (text: string) => text.replace(/=+$/, '');
  const forms = [
    secret,
    bare,
    whole(bytes.toString('base64')),
    whole(bytes.toString('base64url')),
    bytes.toString('hex'),
    encodeURIComponent(secret),
    Buffer.from(bare, 'base64').toString('hex'),
  ];
  return [...new Set(forms)].filter((form) => form.length >= MIN_FORM_LENGTH);
}
