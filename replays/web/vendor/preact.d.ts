/** What the page uses of `preact.js`. */
export interface Element { readonly type: unknown }
/** What can be shown: an element of the page, a text, or nothing. */
export type Shown = Element | string | number | boolean | null | undefined | Shown[];
export function render(shown: Shown, into: globalThis.Element): void;
/** Makes elements from a template, in the syntax of `htm`. */
export function html(parts: TemplateStringsArray, ...values: unknown[]): Element;
export function useState<T>(first: T | (() => T)): [T, (next: T | ((now: T) => T)) => void];
export function useRef<T>(first: T | null): { current: T | null };
export function useMemo<T>(make: () => T, on: readonly unknown[]): T;
export function useEffect(run: () => void | (() => void), on?: readonly unknown[]): void;
export function useLayoutEffect(run: () => void | (() => void), on?: readonly unknown[]): void;
