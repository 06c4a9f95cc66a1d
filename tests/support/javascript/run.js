/* Runs a function of steps.js in Node: node run.js FUNCTION URL TOKEN [SESSION]; prints what it reports, a line each. */
import * as affray from "../../../replays/javascript/affray.js";
import * as steps from "./steps.js";

const [name, url, token, session] = process.argv.slice(2);
const report = (what) => console.log(JSON.stringify(what));
const found = await steps[name](affray, url, token, { session, report });
if (found !== undefined) report(found);
