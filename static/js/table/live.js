// Hearing that a match has moved: by the stream, and by asking every few seconds where there is none.

const POLL = 4000;
const RETRY = 30000;
const WORDS = "Live updates are paused. This page looks for news every few seconds.";

/** Say on the page, for as long as it is so, that updates are paused. @param {boolean} paused */
export function showPaused(paused) {
  const note = document.querySelector("[data-live-note]");
  const words = paused ? WORDS : "";
  if (note && note.textContent !== words) note.textContent = words;
}

/**
 * Call `onPly` whenever the match may have moved. The browser resumes a broken stream by itself
 * (Last-Event-ID); when it gives up, this polls and tries the stream again now and then. When the
 * server says that its own news are paused, it looks for them itself and tells as before.
 * @param {string} address
 * @param {(ply: number | null) => void} onPly the new ply, or null for "have a look"
 * @param {() => void} [onTalk] somebody may have said something
 * @param {(count: number | null) => void} [onWatchers] how many others look on; null: that is not known
 */
export function listen(address, onPly, onTalk = () => undefined, onWatchers = () => undefined) {
  let timer = 0;
  let failures = 0;

  const poll = () => {
    if (timer) return;
    timer = window.setInterval(() => {
      if (document.hidden) return;
      onPly(null);
      onTalk();
    }, POLL);
  };
  const rest = () => {
    window.clearInterval(timer);
    timer = 0;
  };

  const open = () => {
    const stream = new EventSource(address);
    stream.addEventListener("open", () => {
      if (failures) onTalk();
      failures = 0;
      rest();
      showPaused(false);
    });
    stream.addEventListener("paused", () => showPaused(true));
    stream.addEventListener("resumed", () => {
      showPaused(false);
      onPly(null);
      onTalk();
    });
    stream.addEventListener("talk", onTalk);
    stream.addEventListener("watchers", (message) => {
      onWatchers(JSON.parse(/** @type {MessageEvent<string>} */ (message).data).watchers);
    });
    stream.addEventListener("ply", (message) => {
      onPly(JSON.parse(/** @type {MessageEvent<string>} */ (message).data).ply);
    });
    stream.addEventListener("error", () => {
      failures += 1;
      if (stream.readyState !== EventSource.CLOSED && failures < 3) return;
      stream.close();
      if (timer) showPaused(true); // not only for a moment
      onWatchers(null);
      poll();
      window.setTimeout(open, RETRY);
    });
    window.addEventListener("pagehide", () => stream.close(), { once: true });
  };

  open();
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) onPly(null);
  });
}
