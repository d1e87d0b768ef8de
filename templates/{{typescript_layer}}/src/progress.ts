/** Shows how far a long run is: a bar on a terminal, one line per stage elsewhere. */

/** Called with a stage's name, how much is done, and how much there is if that is known. */
type Show = (stage: string, done: number, total: number | null) => void;

/** `show` is told of each step; what it shows goes to standard error, and `stop` removes it. */
export type ShownProgress = { readonly show: Show; stop(): void };

const BAR_CHARS = 40;
const REDRAW_MS = 80;

export function startProgress(): ShownProgress {
  return process.stderr.isTTY ? bar() : linePerStage();
}

function bar(): ShownProgress {
  let stage = "";
  let began = 0;
  let drawn = 0;
  return {
    show(name, done, total) {
      const now = performance.now();
      if (name !== stage) {
        stage = name;
        began = now;
      } else if (now - drawn < REDRAW_MS && done !== total) return;
      drawn = now;
      process.stderr.write(`\r${barLine(name, done, total, (now - began) / 1000)}\u001b[K`);
    },
    stop: () => process.stderr.write("\r\u001b[K"),
  };
}

function barLine(stage: string, done: number, total: number | null, seconds: number): string {
  const speed = seconds > 0 ? done / seconds : 0;
  const filled = total ? Math.round((BAR_CHARS * Math.min(done, total)) / total) : 0;
  const bars = "━".repeat(filled) + " ".repeat(BAR_CHARS - filled);
  const left = total && speed ? duration((total - done) / speed) : "-:--:--";
  const rate = speed ? `${Math.round(speed).toLocaleString("en-US")}/s` : "";
  return `${stage.padEnd(8)} ${bars} ${done}/${total ?? "?"} ${rate} ${left}`;
}

function duration(seconds: number): string {
  const whole = Math.round(seconds);
  const pair = (value: number) => String(value).padStart(2, "0");
  return `${Math.floor(whole / 3600)}:${pair(Math.floor(whole / 60) % 60)}:${pair(whole % 60)}`;
}

function linePerStage(): ShownProgress {
  const seen = new Set<string>();
  return {
    show(stage, _done, total) {
      if (seen.has(stage)) return;
      seen.add(stage);
      process.stderr.write(`${stage}${total ? `: ${total}` : ""}\n`);
    },
    stop: () => undefined,
  };
}
