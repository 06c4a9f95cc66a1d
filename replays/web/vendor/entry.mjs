import { h, render } from "preact";
import htm from "htm";
export { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
export { render };
export const html = htm.bind(h);
