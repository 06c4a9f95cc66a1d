/** Returns the place of the last of these ascending numbers that is at most `most`; -1 if there is none. @param {readonly number[]} numbers @param {number} most */
export function lastAtMost(numbers, most) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (/** @type {number} */ (numbers[middle]) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
