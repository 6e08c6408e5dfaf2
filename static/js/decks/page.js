// A deck's page: the cards that notes and comments name, at a glance.

import { glances } from "../collection/glance.js";

const main = document.getElementById("main");
if (main) glances(main, "[data-glances] [data-glance]");
