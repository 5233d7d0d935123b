// The page of one entry, for people who follow a link to it. It reads; nothing on it changes the books.
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { renderPage } from '../../../foundation/pages/page.js';
import { Table } from '../../../foundation/pages/table.js';
import { prefersPage } from '../access/prefers-page.js';
import { mainUnits } from '../http/main-units.js';
import type { JournalEntryDetailDto, NamedEntryDto } from './journal-entry.dto.js';

/** Sends a person's browser the page instead of JSON. */
export class EntryPageInterceptor implements NestInterceptor<JournalEntryDetailDto, JournalEntryDetailDto | string> {
  intercept(
    context: ExecutionContext,
    next: CallHandler<JournalEntryDetailDto>,
  ): Observable<JournalEntryDetailDto | string> {
    const http = context.switchToHttp();
    if (!prefersPage(http.getRequest<FastifyRequest>())) {
      return next.handle();
    }
    return next.handle().pipe(
      map((entry) => {
        void http.getResponse<FastifyReply>().header('content-type', 'text/html; charset=utf-8');
        return entryPage(entry);
      }),
    );
  }
}

function entryPage(entry: JournalEntryDetailDto): string {
  const name = entry.number ?? `${entry.state} ${entry.id}`;
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ['State', entry.state],
    ['Posting date', entry.postingDate],
    ['Document', [entry.documentNumber, entry.documentDate].filter(Boolean).join(', ')],
    ['Due', entry.dueDate],
    ['Reference', entry.reference],
    ['Accounting entry', entry.trail.accountingEntryId],
    ['Export job', entry.trail.exportJobId],
    ['Reverses', nameOf(entry.reverses)],
    ['Reversed by', nameOf(entry.reversedBy)],
    ['Place in the audit chain', entry.audit?.position.toString()],
  ];
  return renderPage({
    title: `Entry ${name}`,
    body: (
      <main>
        <h1>Entry {name}</h1>
        <p>{entry.description}</p>
        <dl>
          {facts
            .filter(([, value]) => value)
            .map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
        </dl>
        <Lines entry={entry} />
      </main>
    ),
  });
}

function Lines({ entry }: { readonly entry: JournalEntryDetailDto }) {
  return (
    <Table
      columns={['Account', `Debit ${entry.currency}`, `Credit ${entry.currency}`, 'Tax code', 'Vendor', 'Dimensions']}
    >
      {entry.lines.map((line) => {
        const amount = BigInt(line.amountMinor);
        return (
          <tr key={line.lineNo}>
            <td>{line.accountCode}</td>
            <td>{amount >= 0n ? mainUnits(amount, entry.currency) : ''}</td>
            <td>{amount < 0n ? mainUnits(-amount, entry.currency) : ''}</td>
            <td>{line.taxCode}</td>
            <td>{line.vendorNumber}</td>
            <td>
              {Object.entries(line.dimensions)
                .map((pair) => pair.join(' '))
                .join(', ')}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function nameOf(entry: NamedEntryDto | null): string | undefined {
  return entry === null ? undefined : (entry.number ?? entry.id);
}
