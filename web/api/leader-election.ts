/** One stream for all tabs that look alike: one of them leads and listens, the others are told that there is news. */

export interface Role {
  lead(): void;
  follow(): void;
  news(what: unknown): void;
}

interface Word {
  from: string;
  rank: string;
  leads: boolean;
  news?: unknown;
}

const BEAT = 2000; // milliseconds between two signs of life of the tab that leads
const PATIENCE = 5000; // milliseconds after which the others take it for closed
const MANNERS = 150; // milliseconds that a new tab waits for somebody to say that it leads

/** Takes part; `tell` hands news on to the other tabs, `leave` ends it. Where there are no channels every tab leads. */
export function share(name: string, role: Role): { tell(news: unknown): void; leave(): void } {
  if (!("BroadcastChannel" in window)) {
    role.lead();
    return { tell: () => {}, leave: () => {} };
  }
  const me = Math.random().toString(36).slice(2);
  const channel = new BroadcastChannel(`spieltisch.${name}`);
  let leads = false;
  let left = false;
  let heard = Date.now() - PATIENCE + MANNERS;

  const rank = (): string => `${document.visibilityState === "visible" ? 0 : 1}${me}`; // who is looked at leads
  const post = (news?: unknown): void =>
    channel.postMessage({
      from: me,
      rank: rank(),
      leads,
      ...(news !== undefined && { news }),
    } satisfies Word);

  function rise(): void {
    leads = true;
    post();
    role.lead();
  }

  channel.onmessage = ({ data }: MessageEvent<Word>) => {
    if (data.leads && leads && data.rank < rank()) {
      leads = false;
      role.follow();
    }
    if (data.leads && !leads) heard = Date.now();
    else if (!data.leads) {
      if (leads)
        post(); // a new tab asks, or one that led says goodbye
      else if (data.news === "bye") {
        heard = 0;
        setTimeout(look, Math.random() * MANNERS);
      }
      return;
    }
    if (!leads && data.news !== undefined) role.news(data.news);
  };

  function look(): void {
    if (!left && !leads && Date.now() - heard > PATIENCE) rise();
  }

  post();
  const beat = setInterval(() => (leads ? post() : look()), BEAT);
  setTimeout(look, MANNERS + 10);

  function leave(): void {
    if (left) return;
    const led = leads;
    left = true;
    leads = false;
    clearInterval(beat);
    if (led) post("bye");
    channel.close();
    window.removeEventListener("pagehide", leave);
  }
  window.addEventListener("pagehide", leave);

  return {
    tell: (news) => {
      if (leads) post(news);
    },
    leave,
  };
}
