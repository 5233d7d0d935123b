import { Controller, Get, Param, Query, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Readable } from 'node:stream';
import { CompanyRoutes } from '../../access/company-routes.decorator.js';
import { BeancountQuery } from './beancount.dto.js';
import { ExportBeancount } from './export-beancount.js';

const DESCRIPTION = `All posted entries of the company in the syntax of Beancount 2 and 3; drafts are left out. The file asserts what every
account comes to in every currency on the day after the last entry, from the books' own sums, so bean-check refuses a file in
which an amount was changed or whose end is missing.

Accounts are named by type and code, \`Liabilities:A2440\`; a character of the code that is neither an ASCII letter nor a digit
is its code point in hexadecimal between hyphens.

One file cannot assert two amounts of the same posting, so there are two:

- \`amounts=transaction\` (default): postings in the currency of their entry and, where that is not the functional currency, with
  what they are in base as total price (\`@@\`). Lines in base only (rounding, realized exchange differences) are postings in the
  functional currency, and the balances asserted for it include them. The weights of an account's postings add up to its base
  balance.
- \`amounts=functional\`: the same entries with the base amount of every line, and base balances asserted.

Together they assert both columns of the trial balance to the minor unit.`;

@CompanyRoutes('reports')
@Controller('companies/:companyId')
export class BeancountController {
  constructor(private readonly exportBeancount: ExportBeancount) {}

  @Get(['beancount', 'export.beancount'])
  @ApiOperation({ description: DESCRIPTION })
  @ApiOkResponse({ content: { 'text/plain': { schema: { type: 'string' } } } })
  async export(@Param('companyId') companyId: string, @Query() { amounts }: BeancountQuery): Promise<StreamableFile> {
    const pieces = await this.exportBeancount.exportBook(companyId, amounts);
    return new StreamableFile(Readable.from(pieces), {
      type: 'text/plain; charset=utf-8',
      disposition: `attachment; filename="${amounts === 'functional' ? 'functional' : 'books'}.beancount"`,
    });
  }
}
