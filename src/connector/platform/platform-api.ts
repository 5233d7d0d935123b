// Client of the Integration API: one method per operation that the connector uses, without decisions.
import { z } from 'zod';
import { entryIdOf, type WireExportItem } from './export-item.schema.js';
import { readExportItem } from './read-export-item.js';
import { listedJobSchema, type ListedJob } from './listed-job.js';
import { PlatformRefusal } from './platform-error.js';
import type { PlatformAuthorization, PlatformHttp } from './platform-http.js';
import {
  companySchema,
  exportJobSchema,
  installationSchema,
  introspectionSchema,
  itemUpdateResponseSchema,
  jobItemSchema,
  page,
  secretSchema,
  single,
  subscriptionSchema,
  type ItemUpdateResponse,
  type PlatformCompany,
  type PlatformExportJob,
  type PlatformInstallation,
  type PlatformIntrospection,
  type PlatformJobItem,
  type PlatformSubscription,
} from './platform.schema.js';
import { acknowledgment, exactNumbers, responseParser } from './parse-response.js';
import { PagedList, readPages } from './read-pages.js';
import { readPagesAhead } from './read-pages-ahead.js';

/** Maximum of items in one update call (P1.6). */
export const ITEM_UPDATE_LIMIT = 100;
/** The operation and its deprecated name (P3.6), as most documents write them and as the interface itself does, which shows no prefix. */
const ACTIVATION_CALLS = ['/v1', ''].flatMap((prefix) => [
  { method: 'POST', path: `${prefix}/installations/me:activate` } as const,
  { method: 'PUT', path: `${prefix}/installations/completions` } as const,
]);

export type JobEvent =
  | { readonly event: 'started' | 'completed' | 'completed_with_errors' }
  | { readonly event: 'failed'; readonly failureReason: string; readonly failureReasonType: string };

export interface ReportedItem {
  readonly accountingEntryId: string;
  readonly status: 'successful' | 'failed';
  readonly exportedAt?: string;
  readonly externalId?: string;
  readonly externalUrl?: string;
  readonly failureReason?: string;
  readonly failureReasonType?: string;
}

export interface ExportJobRequest {
  readonly companyId: string;
  readonly accountingEntryIds: readonly string[];
  readonly vendorBasedBookkeeping: boolean;
}

/** An item, or the reason why its data cannot be read. */
export type FetchedItem =
  | { readonly accountingEntryId: string; readonly item: WireExportItem }
  | { readonly accountingEntryId: string; readonly unreadable: string };

export interface SubscriptionRequest {
  readonly endpointUrl: string;
  readonly eventTypes: readonly string[];
  readonly status: 'ACTIVE' | 'INACTIVE';
  /** Sent along with every message. */
  readonly customHeaders?: Readonly<Record<string, string>>;
}

/** Each method throws as `PlatformHttp.fetch` or `PlatformHttp.sendOnce` does. */
export class PlatformApi {
  constructor(private readonly platformHttp: PlatformHttp) {}

  platformNow(): Date {
    return this.platformHttp.platformNow();
  }

  async getInstallation(auth: PlatformAuthorization): Promise<PlatformInstallation> {
    return this.platformHttp.fetch(
      auth,
      { method: 'GET', path: '/v1/installations/me' },
      responseParser(installationSchema),
    );
  }

  /**
   * Activates the installation (P3.6). Repeating it is harmless; the interface shows no body of the response, and no prefix of the path. A
   * platform that does not know the operation is called by its other names, which do the same.
   */
  async activateInstallation(auth: PlatformAuthorization): Promise<void> {
    for (const [index, call] of ACTIVATION_CALLS.entries()) {
      try {
        await this.platformHttp.fetch(auth, call, acknowledgment);
        return;
      } catch (error) {
        if (!isUnknownOperation(error) || index === ACTIVATION_CALLS.length - 1) {
          throw error;
        }
      }
    }
  }

  /** With an API key the platform has not created the installation for us (P3.5). Harmless when it is there. */
  async createInstallation(auth: PlatformAuthorization): Promise<void> {
    try {
      const call = { method: 'POST', path: '/v1/installations/me', body: {} } as const;
      await this.platformHttp.fetch(auth, call, acknowledgment);
    } catch (error) {
      if (!(error instanceof PlatformRefusal && (error.status === 400 || error.status === 409))) {
        throw error;
      }
    }
  }

  /** As activating, for an API key: activation itself takes an OAuth access token only (P3.6). */
  async setInstallationActivated(auth: PlatformAuthorization): Promise<void> {
    const call = { method: 'PUT', path: '/v1/installations/me', body: { status: 'ACTIVATED' } } as const;
    await this.platformHttp.fetch(auth, call, acknowledgment);
  }

  /** Revokes every token of this client for the customer (P3.6). One attempt; harmless when it is deleted already. */
  async deleteInstallation(auth: PlatformAuthorization): Promise<void> {
    await this.remove(auth, '/v1/installations/me');
  }

  /** Owner and rights of the credential. */
  async introspect(auth: PlatformAuthorization): Promise<PlatformIntrospection> {
    const call = { method: 'GET', path: '/v1/introspect' } as const;
    return (await this.platformHttp.fetch(auth, call, responseParser(single(introspectionSchema)))).data;
  }

  /**
   * Companies, all pages.
   * @param organizationId those of this organization; undefined: all that the credential sees
   */
  async listCompanies(
    auth: PlatformAuthorization,
    organizationId: string | undefined,
  ): Promise<readonly PlatformCompany[]> {
    const query = new URLSearchParams(organizationId === undefined ? {} : { organization_id: organizationId });
    return collect(this.pages(auth, '/v1/companies', query, companySchema));
  }

  async getCompany(auth: PlatformAuthorization, companyId: string): Promise<PlatformCompany> {
    const path = `/v1/companies/${encodeURIComponent(companyId)}`;
    return (await this.platformHttp.fetch(auth, { method: 'GET', path }, responseParser(single(companySchema)))).data;
  }

  async listSubscriptions(auth: PlatformAuthorization): Promise<readonly PlatformSubscription[]> {
    return collect(this.pages(auth, '/v1/subscriptions', new URLSearchParams(), subscriptionSchema));
  }

  async createSubscription(auth: PlatformAuthorization, request: SubscriptionRequest): Promise<PlatformSubscription> {
    // Not repeated blindly: after a lost response there would be two subscriptions.
    const response = await this.platformHttp.sendOnce(auth, {
      method: 'POST',
      path: '/v1/subscriptions',
      body: request,
    });
    return responseParser(single(subscriptionSchema))(response).data;
  }

  async updateSubscription(
    auth: PlatformAuthorization,
    id: string,
    request: SubscriptionRequest,
  ): Promise<PlatformSubscription> {
    const path = `/v1/subscriptions/${encodeURIComponent(id)}`;
    const call = { method: 'PUT', path, body: request } as const;
    return (await this.platformHttp.fetch(auth, call, responseParser(single(subscriptionSchema)))).data;
  }

  /** One attempt; harmless when it is deleted already. */
  async deleteSubscription(auth: PlatformAuthorization, id: string): Promise<void> {
    await this.remove(auth, `/v1/subscriptions/${encodeURIComponent(id)}`);
  }

  /** The signing secret, `whsec_…` (P2.1). */
  async getSubscriptionSecret(auth: PlatformAuthorization, id: string): Promise<string> {
    const path = `/v1/subscriptions/${encodeURIComponent(id)}/secret`;
    const secret = await this.platformHttp.fetch(auth, { method: 'GET', path }, responseParser(single(secretSchema)));
    return secret.data.secretKey;
  }

  /** Jobs of a company in the given states, all pages. One that does not fit the schema is `unreadable`, and keeps no other. */
  async listExportJobs(
    auth: PlatformAuthorization,
    companyId: string,
    statuses: readonly string[],
  ): Promise<readonly ListedJob[]> {
    const query = new URLSearchParams({ company_id: companyId });
    for (const status of statuses) {
      query.append('statuses', status);
    }
    return collect(this.pages(auth, '/v3/export-jobs', query, listedJobSchema));
  }

  /** Every job of a company, page by page. */
  exportJobPages(auth: PlatformAuthorization, companyId: string): AsyncGenerator<readonly ListedJob[]> {
    return this.pages(auth, '/v3/export-jobs', new URLSearchParams({ company_id: companyId }), listedJobSchema);
  }

  /** A new job of these entries. One attempt: after a lost response the job may exist. 409 while another one runs. */
  async createExportJob(auth: PlatformAuthorization, request: ExportJobRequest): Promise<PlatformExportJob> {
    const { vendorBasedBookkeeping, ...rest } = request;
    const body = { ...rest, isInteractive: false, options: { vendorBasedBookkeeping } };
    const response = await this.platformHttp.sendOnce(auth, { method: 'POST', path: '/v3/export-jobs', body });
    return responseParser(single(exportJobSchema))(response).data;
  }

  async getExportJob(auth: PlatformAuthorization, jobId: string): Promise<PlatformExportJob> {
    const path = `/v3/export-jobs/${encodeURIComponent(jobId)}`;
    return (await this.platformHttp.fetch(auth, { method: 'GET', path }, responseParser(single(exportJobSchema)))).data;
  }

  /**
   * The job's items with their states, page by page (the control layer of P9.3). One that does not fit the schema is left out, as if
   * it were not listed: the job ends all the same, and its verdict says that items are missing.
   */
  async *jobItemPages(auth: PlatformAuthorization, jobId: string): AsyncGenerator<readonly PlatformJobItem[]> {
    const path = `/v3/export-jobs/${encodeURIComponent(jobId)}/items`;
    for await (const elements of this.pages(auth, path, new URLSearchParams(), z.unknown())) {
      yield elements.flatMap((element) => jobItemSchema.safeParse(element).data ?? []);
    }
  }

  /**
   * The data of a job's items, page by page. An item that does not fit the schema is `unreadable`, so that only
   * this item fails; what names no accounting entry is left out, as if its data were missing.
   * @param announced how many items the platform says the job has: then pages are requested ahead, and an item may come again
   */
  async *exportItemPages(
    auth: PlatformAuthorization,
    jobId: string,
    announced = 0,
  ): AsyncGenerator<readonly FetchedItem[]> {
    const query = new URLSearchParams({ job_id: jobId });
    const request = { method: 'GET', path: '/v3/export-items', query } as const;
    const read = responseParser(page(z.unknown()), exactNumbers);
    const list = new PagedList(this.platformHttp, auth, request, (response) => {
      const { data, pagination } = read(response);
      return { data: data.map((element) => ({ element, id: entryIdOf(element) })), pagination };
    });
    let withoutId = 0;
    const idOf = ({ id }: { readonly id: string | undefined }) => id ?? `without-id-${String((withoutId += 1))}`;
    for await (const elements of readPagesAhead(list, idOf, announced)) {
      yield elements.flatMap(({ element, id }) =>
        id === undefined ? [] : [{ accountingEntryId: id, ...readExportItem(element) }],
      );
    }
  }

  /** Sends at most 100 results. Repeating an accepted result is harmless: the platform keeps the last one. */
  async updateJobItems(
    auth: PlatformAuthorization,
    jobId: string,
    results: readonly ReportedItem[],
  ): Promise<ItemUpdateResponse> {
    const path = `/v3/export-jobs/${encodeURIComponent(jobId)}/items`;
    return this.platformHttp.fetch(
      auth,
      { method: 'PUT', path, body: results },
      responseParser(itemUpdateResponseSchema),
    );
  }

  /**
   * Sends an event, once: after an unknown outcome the caller has to fetch the job first. Any 2xx counts, as the interface states no
   * status; 202 without a body is documented elsewhere (P1.5).
   * @throws InvalidPlatformResponse when the response is a page of a proxy in between
   */
  async sendJobEvent(auth: PlatformAuthorization, jobId: string, event: JobEvent): Promise<void> {
    const call = { method: 'POST', path: '/v3/export-job-events', body: { jobId, ...event } } as const;
    acknowledgment(await this.platformHttp.sendOnce(auth, call));
  }

  /** A resource that is not found counts as deleted. */
  private async remove(auth: PlatformAuthorization, path: string): Promise<void> {
    try {
      acknowledgment(await this.platformHttp.sendOnce(auth, { method: 'DELETE', path }));
    } catch (error) {
      if (!(error instanceof PlatformRefusal && error.status === 404)) {
        throw error;
      }
    }
  }

  private pages<T extends z.ZodType>(
    auth: PlatformAuthorization,
    path: string,
    query: URLSearchParams,
    element: T,
  ): AsyncGenerator<readonly z.output<T>[]> {
    return readPages(this.platformHttp, auth, { method: 'GET', path, query }, element);
  }
}

/** An address that is not known, or is known for something else. */
function isUnknownOperation(error: unknown): boolean {
  return error instanceof PlatformRefusal && (error.status === 404 || error.status === 405);
}

async function collect<T>(pages: AsyncGenerator<readonly T[]>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const elements of pages) {
    all.push(...elements);
  }
  return all;
}
