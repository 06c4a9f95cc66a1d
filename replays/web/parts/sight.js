/** Scrolls a list, and nothing around it, until a row is in sight. @param {Element} box  @param {Element} row */
export function keepInSight(box, row) {
  const [outer, inner] = [box.getBoundingClientRect(), row.getBoundingClientRect()];
  if (inner.top >= outer.top + 40 && inner.bottom <= outer.bottom - 40) return;
  box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
}
