// Who uses no mouse is where the focus is: what takes the focused control away must not send them to the top of the page.
const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]';

const firstIn = (node: Node | null): HTMLElement | null =>
  node instanceof HTMLElement ? (node.matches(FOCUSABLE) ? node : node.querySelector<HTMLElement>(FOCUSABLE)) : null;

const nameOf = (element: Element) => `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent}`;

/** The same control drawn anew. */
function twinOf(gone: HTMLElement, records: readonly MutationRecord[]): HTMLElement | undefined {
  const added = records.flatMap(({ addedNodes }) => [...addedNodes].filter((node) => node instanceof HTMLElement));
  return added
    .flatMap((node) => [...node.querySelectorAll<HTMLElement>(FOCUSABLE)])
    .find((element) => element.isConnected && nameOf(element) === nameOf(gone));
}

/** What stands where it was: the next row, or the one before. */
function besideOf(gone: HTMLElement, records: readonly MutationRecord[]): HTMLElement | undefined {
  const removal = records.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(gone)));
  const besides = [removal?.nextSibling ?? null, removal?.previousSibling ?? null];
  return besides.flatMap((node) => firstIn(node) ?? []).find((element) => element.isConnected);
}

/** What is nearest around it, within the page: of a form that has closed, the button that opens it again. */
function aroundOf(gone: HTMLElement, records: readonly MutationRecord[]): HTMLElement | undefined {
  const removal = records.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(gone)));
  const around = removal?.target instanceof HTMLElement ? removal.target.closest('main section') : null;
  return around?.querySelector<HTMLElement>(FOCUSABLE) ?? undefined;
}

/**
 * Puts the focus, once the control that has it is removed or disabled, on what stands in its place or on the control itself
 * when it can be used again.
 */
export function keepFocus(): void {
  let last: HTMLElement | undefined;
  let lastInMain: HTMLElement | undefined;
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) {
      last = target;
      lastInMain = target.closest('main') === null ? lastInMain : target;
    }
  });
  // Who clicks beside all controls wants none to have it.
  document.addEventListener('pointerdown', () => {
    last = undefined;
  });
  new MutationObserver((records) => {
    if (lastInMain?.isConnected === false) {
      lastInMain = twinOf(lastInMain, records) ?? besideOf(lastInMain, records) ?? aroundOf(lastInMain, records);
    }
    if (last !== undefined && document.activeElement === document.body) {
      // After a message is closed one goes on in the page, not at the message beside it.
      const otherwise = lastInMain ?? besideOf(last, records) ?? document.getElementById('main');
      const next = last.isConnected ? last : (twinOf(last, records) ?? otherwise);
      next?.focus({ preventScroll: true });
    }
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
}
