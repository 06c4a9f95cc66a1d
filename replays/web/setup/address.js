/** Links of seats, and the address of the server that phones reach. */
import { useEffect, useState } from "../vendor/preact.js";

/** Names of this machine by which no other device reaches it. */
const HERE = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Returns whether no other device reaches an origin. @param {string} origin */
export const isOnlyHere = (origin) => HERE.test(new URL(origin).hostname);

/** Returns the origin of an address that was typed; an empty text if it is none. @param {string} text */
export function originOf(text) {
  const [, scheme = "http://", host] = /^\s*(https?:\/\/)?([^\s/?#@]+)(?:\/\S*)?\s*$/i.exec(text) ?? [];
  return host && URL.canParse(scheme + host) ? new URL(scheme + host).origin : "";
}

/** Returns the link of a seat. The token is in the fragment, which browsers send nowhere. @param {string} origin  @param {string} session  @param {string} token */
export const seatLink = (origin, session, token) => `${origin}/#token=${encodeURIComponent(token)}&session=${encodeURIComponent(session)}`;

/**
 * Returns the origin that phones reach: that of the page, or where the page is open on the server's own machine, the one
 * that the server has in the network, if it listens there.
 *
 * @param {string} origin  @param {readonly string[]} lan
 */
export const reachable = (origin, lan) => (isOnlyHere(origin) ? (lan[0] ?? origin) : origin);

/** Returns the origin that phones reach, as soon as the server has answered. @param {import("/client/affray.js").Affray} affray */
export function useReachable(affray) {
  const [origin, set] = useState(location.origin);
  useEffect(() => {
    affray.me().then(({ lan = [] }) => set(reachable(location.origin, lan)), () => {}); // the page's own origin is as good
  }, [affray]);
  return origin;
}
