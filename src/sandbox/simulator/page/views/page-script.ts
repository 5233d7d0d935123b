/** The script of the page: counts the job's clock down, and reloads the page while a job runs. */
export const PAGE_SCRIPT = `'use strict';
const RELOAD_MS = 5000;
const pad = (value) => String(value).padStart(2, '0');
const offset = Number(document.querySelector('[data-now]')?.dataset.now ?? Date.now()) - Date.now();
const countDown = () => {
  for (const element of document.querySelectorAll('[data-deadline]')) {
    const left = Math.max(0, Math.round((Number(element.dataset.deadline) - Date.now() - offset) / 1000));
    element.textContent = Math.floor(left / 60) + ':' + pad(left % 60);
  }
};
countDown();
setInterval(countDown, 1000);
let touched = false;
document.addEventListener('input', () => { touched = true; });
setInterval(() => {
  if (document.querySelector('[data-running]') !== null && !touched) location.reload();
}, RELOAD_MS);
`;
