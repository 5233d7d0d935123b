import { describe, expect, it } from '@jest/globals';
import { mailSubject, mailText, pageFor, webhookBody, type AlertMessage } from './alert-message.js';

const message = (count: number, companyName = 'Example'): AlertMessage => ({
  id: 'm',
  installationId: 'i',
  companyName,
  link: 'https://connector.example/app/issues',
  alerts: Array.from({ length: count }, (_, index) => ({
    id: index.toString(),
    kind: 'sync-failed',
    title: `Title ${index.toString()}`,
    advice: `Advice ${index.toString()}`,
    raisedAt: new Date('2026-02-10T12:00:00Z'),
  })),
});

describe('an alert message', () => {
  it.each([
    [1, 'Example', 'Example: Title 0'],
    [2, 'Example', 'Example: 2 alerts'],
    [1, 'Evil\r\nBcc: a@example.com', 'Evil Bcc: a@example.com: Title 0'],
    [1, 'x'.repeat(300), 'x'.repeat(150)],
  ])('has, for %i alerts of %.10j, the subject %.40j', (count, company, subject) => {
    expect(mailSubject(message(count, company))).toBe(subject);
  });

  it.each([
    [['export-failed'], '/issues'],
    [['export-failed', 'export-with-errors'], '/issues'],
    [['erp-authorization-needed'], '/setup'],
    [['export-failed', 'sync-failed'], ''],
    [['deadline-near'], ''],
    [['digest-daily'], ''],
    [['test'], '/people?tab=alerts'],
    [[], ''],
  ] as const)('for %j links to %j on the page', (kinds, path) => {
    expect(pageFor(kinds.map((kind) => ({ kind })))).toBe(path);
  });

  it('lists twenty alerts and counts the rest', () => {
    expect(mailText(message(20))).not.toContain('more.');
    expect(mailText(message(25)).split('\n').slice(0, 5)).toEqual([
      'ERP export connector of Example',
      '',
      '2026-02-10T12:00:00.000Z  Title 0',
      'Advice 0',
      '',
    ]);
    expect(mailText(message(25))).toContain('Title 19\nAdvice 19\n\n… and 5 more.\n\nTo the page: https://');
    const body = JSON.parse(webhookBody(message(25), new Date(0))) as {
      data: { total: number; alerts: object[] };
    };
    expect([body.data.total, body.data.alerts.length]).toEqual([25, 20]);
  });
});
