/** Client-side router: the path selects the page, and links within the site do not reload it. */

class Router {
  path = $state(location.pathname);
  #inviteCode = cutInviteCode();

  /** The invitation code from the address, once. It is in the fragment, which browsers do not send. */
  takeInviteCode(): string {
    const code = this.#inviteCode;
    this.#inviteCode = "";
    return code;
  }

  /** Shows a page; with an invitation code, that of a table. */
  go(path: string, inviteCode = ""): void {
    this.#inviteCode = inviteCode;
    if (path !== this.path) history.pushState(null, "", path);
    this.#show();
  }

  start(): void {
    window.addEventListener("popstate", () => this.#show());
    document.addEventListener("click", (event) => {
      const link = (event.target as Element).closest?.("a");
      const plainClick =
        event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!link || !plainClick || event.defaultPrevented || link.target || link.hasAttribute("download"))
        return;
      if (link.origin !== location.origin || link.pathname.startsWith("/api/")) return;
      event.preventDefault();
      history.pushState(null, "", link.href);
      this.#inviteCode = cutInviteCode();
      this.#show();
    });
  }

  #show(): void {
    this.path = location.pathname;
    window.scrollTo(0, 0);
  }
}

/** Takes the invitation code out of the address, so that a screenshot does not reveal it. */
function cutInviteCode(): string {
  const code = decode(location.hash.slice(1));
  if (code) history.replaceState(null, "", location.pathname);
  return code;
}

/** The text behind percent-encoding; as it is if somebody has mangled it. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const router = new Router();
