import { field, shape } from '../../../foundation/http/shape.js';

export class SessionResponse extends shape({
  id: field.uuid(),
  device: field.text({ description: 'in words, from what the browser says of itself', example: 'Firefox on Windows' }),
  address: field.text('IP address of the sign-in'),
  createdAt: field.instant(),
  lastUsedAt: field.instant('to the minute'),
  current: field.flag('whether it is the session of this request'),
}) {}

export class SessionsResponse extends shape({
  data: field.many(SessionResponse, 'newest first, at most 100'),
}) {}

export class EndedSessionsResponse extends shape({
  ended: field.number('how many sessions were ended'),
}) {}
