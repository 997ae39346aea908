/** Leader election among the tabs of a browser: the leader holds the event stream, the followers are notified by it. */

export interface ElectionHandlers {
  /** This tab has become the leader. */
  lead(): void;
  /** This tab is no longer the leader. */
  follow(): void;
  /** The leader has broadcast a message; called in followers only. */
  message(message: unknown): void;
}

export interface Election {
  /** Sends a message to the followers; does nothing in a follower. */
  broadcast(message: unknown): void;
  leave(): void;
}

interface Signal {
  from: string;
  rank: string;
  leads: boolean;
  message?: unknown;
}

const RESIGNED = "bye";
const HEARTBEAT = 2000; // milliseconds between two heartbeats of the leader
const LEADER_TIMEOUT = 5000; // milliseconds of silence after which the leader counts as closed
const GRACE = 150; // milliseconds that a new tab waits for a leader to answer

/** Joins the election of that name. Without BroadcastChannel every tab is a leader. */
export function joinElection(name: string, handlers: ElectionHandlers): Election {
  if (!("BroadcastChannel" in window)) {
    handlers.lead();
    return { broadcast: () => {}, leave: () => {} };
  }
  const me = Math.random().toString(36).slice(2);
  const channel = new BroadcastChannel(`spieltisch.tabs.${name}`);
  let leads = false;
  let left = false;
  let lastHeartbeat = Date.now() - LEADER_TIMEOUT + GRACE;

  const rank = (): string => `${document.visibilityState === "visible" ? 0 : 1}${me}`; // visible tabs come first
  const post = (message?: unknown): void =>
    channel.postMessage({
      from: me,
      rank: rank(),
      leads,
      ...(message !== undefined && { message }),
    } satisfies Signal);

  function becomeLeader(): void {
    leads = true;
    post();
    handlers.lead();
  }

  channel.onmessage = ({ data }: MessageEvent<Signal>) => {
    if (data.leads && leads && data.rank < rank()) {
      leads = false;
      handlers.follow();
    }
    if (data.leads && !leads) lastHeartbeat = Date.now();
    else if (!data.leads) {
      if (leads)
        post(); // a new tab asks who leads, or an earlier leader says goodbye
      else if (data.message === RESIGNED) {
        lastHeartbeat = 0;
        setTimeout(checkLeader, Math.random() * GRACE);
      }
      return;
    }
    if (!leads && data.message !== undefined) handlers.message(data.message);
  };

  function checkLeader(): void {
    if (!left && !leads && Date.now() - lastHeartbeat > LEADER_TIMEOUT) becomeLeader();
  }

  post();
  const timer = setInterval(() => (leads ? post() : checkLeader()), HEARTBEAT);
  setTimeout(checkLeader, GRACE + 10);

  function leave(): void {
    if (left) return;
    const led = leads;
    left = true;
    leads = false;
    clearInterval(timer);
    if (led) post(RESIGNED);
    channel.close();
    window.removeEventListener("pagehide", leave);
  }
  window.addEventListener("pagehide", leave);

  return {
    broadcast: (message) => {
      if (leads) post(message);
    },
    leave,
  };
}
