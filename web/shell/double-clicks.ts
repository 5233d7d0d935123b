/**
 * The second click of a double click presses no button: it would come before the first one is seen to be under way, and be a second
 * request, or meet another button that has moved to its place.
 */
export function ignoreDoubleClicks(): void {
  const ignore = (event: MouseEvent) => {
    if (event.detail > 1 && event.target instanceof Element && event.target.closest('button') !== null) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
  document.addEventListener('click', ignore, true);
}
