/* The module has the types that are declared for it: `made.js` is a copy of affray.js, whose types are inferred. */
import * as declared from "./affray.js";
import * as made from "./made.js";

type Instances = "Affray" | "Session" | "Created" | "EventParser" | "Refused" | "Live";
type Declared = { [name in Exclude<Instances, "Live">]: InstanceType<(typeof declared)[name]> } & { Live: declared.Live };
const functions: Omit<typeof declared, "Live"> = made;
const objects = {} as { [name in Instances]: InstanceType<(typeof made)[name]> };
const same: Declared = objects;
const names: keyof typeof declared extends keyof typeof made ? true : false = true;
const others: keyof typeof made extends keyof typeof declared ? true : false = true;
void [functions, same, names, others];
