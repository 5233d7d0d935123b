import { applyDecorators, Header } from '@nestjs/common';

/** Content security policy of the page: its own script and forms, no other origin. */
const POLICY =
  `default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; ` +
  `frame-ancestors 'none'`;

/**
 * Marks a route that returns a page for a person. Under the policy `no-referrer`, which everything else has, a browser
 * would send its forms with `Origin: null`, and those are refused as another site's.
 */
export function PageResponse(): MethodDecorator {
  return applyDecorators(
    Header('content-type', 'text/html; charset=utf-8'),
    Header('content-security-policy', POLICY),
    Header('referrer-policy', 'same-origin'),
    Header('cache-control', 'no-store'),
  );
}
