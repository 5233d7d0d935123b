/** Facts that raise an alert. */
export const ALERT_KINDS = [
  'export-failed',
  'export-with-errors',
  'deadline-near',
  'authorization-needed',
  'erp-authorization-needed',
  'erp-company-wanted',
  'subscription-disabled',
  'discrepancies-overdue',
  'in-doubt-posting',
  'sync-failed',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Something that a person should know. The same fact raises one alert. */
export interface AlertFact {
  readonly kind: AlertKind;
  /** Names it among those of its kind. */
  readonly fact: string;
  /** What is different each time, for `alertText`. */
  readonly detail: string;
  /** How many things it is about; 1 where there is nothing to count. */
  readonly count: number;
}

export interface AlertText {
  readonly title: string;
  /** What a bookkeeper, or the administrator, does about it. */
  readonly advice: string;
}

const MAX_LENGTH = 1_000;

const COMPANY_WANTED: AlertText = {
  title: 'Somebody else asked for your company in the accounting system',
  advice:
    'Nothing was changed and nothing was shown: your company stays linked to you. If you have not tried to connect it from another company of the platform, renew the credentials of the accounting system, and tell the operator of the connector.',
};

/** The text of a fact, for a reader who knows bookkeeping and not computers. */
export function alertText({ kind, detail, count }: AlertFact): AlertText {
  const { title, advice } = wordsOf(kind, detail, count);
  return { title, advice: advice.slice(0, MAX_LENGTH) };
}

function wordsOf(kind: AlertKind, detail: string, count: number): AlertText {
  switch (kind) {
    case 'export-failed':
      return {
        title: 'An export has failed',
        advice: detail || 'Open the export to see why, then export again.',
      };
    case 'export-with-errors':
      return {
        title: `An export has ended, but ${entries(count)} could not be exported`,
        advice: 'Open the inbox: it names what has to be mended, and exports what waits for it again.',
      };
    case 'deadline-near':
      return {
        title: 'An export is close to its end and not finished',
        advice: `It ends at ${detail}. What is not posted ten minutes before is reported as failed; see whether the accounting system can be reached.`,
      };
    case 'authorization-needed':
      return {
        title: 'The connection to the platform needs a new authorization',
        advice: reauthorizationAdvice(detail),
      };
    case 'erp-authorization-needed':
      return {
        title: 'The accounting system does not accept the connector any more',
        advice:
          'Nothing is posted until an administrator renews the credentials in the settings of the connector. What waits is exported by itself then; what has failed meanwhile, export again.',
      };
    case 'erp-company-wanted':
      return COMPANY_WANTED;
    case 'subscription-disabled':
      return {
        title: 'The platform does not send messages of new exports',
        advice: `It says that the subscription is ${detail}. Exports still begin, some minutes later. Set the subscription to active in the settings.`,
      };
    case 'discrepancies-overdue':
      return {
        title: `${count.toString()} ${count === 1 ? 'discrepancy' : 'discrepancies'} between platform and books ${count === 1 ? 'waits' : 'wait'} for longer than ${detail} days`,
        advice: 'Open the discrepancies: each shows what the three sides say, and what can be done.',
      };
    case 'in-doubt-posting':
      return {
        title: `Nobody knows whether ${entries(count)} ${count === 1 ? 'is' : 'are'} in the books`,
        advice:
          'The accounting system did not answer while it was posted. Look there for the reference in the list of uncertain postings, and say what you found.',
      };
    case 'sync-failed':
      return { title: 'Reference data could not be brought in step', advice: detail };
  }
}

function entries(count: number): string {
  return count === 1 ? '1 entry' : `${count.toString()} entries`;
}

/** @param unansweredAt when a renewal got no answer, empty where none was missing */
function reauthorizationAdvice(unansweredAt: string): string {
  const advice = 'Nothing is exported until an administrator connects the company again. All settings are kept.';
  return unansweredAt === ''
    ? advice
    : `On ${unansweredAt} the answer to a renewal did not reach the connector, and the platform did not take the old token a second time. ${advice}`;
}
