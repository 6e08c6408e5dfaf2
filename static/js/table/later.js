// What a table does without in its first moment: looking closely, rules, hints, talk, sounds, offers. Fetched as soon
// as one can play.

export { watchHints } from "./hints.js";
export { watchLights } from "./lights.js";
export { look, watchLooks } from "./look.js";
export { renewOffers } from "./offers.js";
export { watchRules } from "./rules.js";
export { offerSound, sound, soundOf } from "./sound.js";
export { hearTalk } from "./talk.js";
export { showWatchers } from "./watchers.js";
