// Loaded before a program (`NODE_OPTIONS=--import=…`): its wall clock is ahead by CLOCK_AHEAD_HOURS, or behind where that is negative.
// What measures durations, `performance.now()` and timers, is right, as on a machine whose date was set wrong.
const HOUR_MS = 3_600_000;
const aheadMs = Number(process.env.CLOCK_AHEAD_HOURS) * HOUR_MS;
if (!Number.isFinite(aheadMs)) {
  throw new Error('CLOCK_AHEAD_HOURS: needs a number of hours');
}
const RightDate = Date;
const rightNow = RightDate.now;
const now = () => rightNow() + aheadMs;

RightDate.now = now;
const WrongDate = new Proxy(RightDate, {
  construct: (target, values, made) => Reflect.construct(target, values.length === 0 ? [now()] : values, made),
  apply: () => new WrongDate().toString(),
});
RightDate.prototype.constructor = WrongDate;
globalThis.Date = WrongDate;
