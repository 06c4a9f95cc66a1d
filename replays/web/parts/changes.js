/** Draws a part again whenever what it shows has changed. */
import { useEffect, useLayoutEffect, useState } from "../vendor/preact.js";

/** @param {import("../record/changing.js").Changing} shown */
export function useChanges(shown) {
  const [, draw] = useState(0);
  useLayoutEffect(() => {
    const again = () => draw((now) => now + 1);
    again(); // it may have changed before it was listened to
    return shown.listen(again);
  }, [shown]);
}

/** Keeps who acts in sight. @param {string} place what shows them  @param {string | null | undefined} active who acts */
export function useFollowing(place, active) {
  useEffect(() => document.querySelector(place)?.scrollIntoView({ block: "nearest" }), [active]);
}
