/**
 * The second click of a double click presses no button: it would come before the first one is seen to be under way, and be a second
 * request, or meet another button that has moved to its place. Headers that order a list stay where they are, and only show it anew:
 * two quick clicks order it from its other end.
 */
export function ignoreDoubleClicks(): void {
  const ignore = (event: MouseEvent) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (event.detail > 1 && button !== null && button.closest('th') === null) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  };
  document.addEventListener('click', ignore, true);
}
