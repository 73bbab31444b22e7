/** Scrolls the result below the form into view. The focus stays: the user may be typing. */
export function showResult(): void {
  const request = document.querySelector('.request-body')?.getBoundingClientRect();
  const result = document.querySelector('.result')?.getBoundingClientRect();
  if (!request || !result) return;
  const isBelow = result.top >= request.bottom;
  const isInSight = result.top < window.innerHeight * 0.6;
  if (isBelow && !isInSight) document.querySelector('.result h2')?.scrollIntoView();
}
