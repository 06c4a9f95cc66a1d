/** Work that is done once at a time: a second Enter or click does nothing before the first is answered. */
import { useRef } from "../vendor/preact.js";

/** Returns a function that does the work unless it is being done. @template {unknown[]} G @template T @param {(...given: G) => Promise<T>} work @returns {(...given: G) => Promise<T | undefined>} */
export function useOnce(work) {
  const isAtWork = useRef(false);
  return async (...given) => {
    if (isAtWork.current) return undefined;
    isAtWork.current = true;
    try {
      return await work(...given);
    } finally {
      isAtWork.current = false;
    }
  };
}
