/** Where we are: the path decides the page, and links inside the page do not load it anew. */

class Router {
  path = $state(location.pathname);
  #code = cutCode();

  /** The part of the address behind #, which browsers do not send: an invitation's code, for one table alone. */
  takeCode(): string {
    const code = this.#code;
    this.#code = "";
    return code;
  }

  go(path: string): void {
    if (path !== this.path) history.pushState(null, "", path);
    this.#show();
  }

  begin(): void {
    window.addEventListener("popstate", () => this.#show());
    document.addEventListener("click", (event) => {
      const link = (event.target as Element).closest?.("a");
      const plain =
        event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute("download")) return;
      if (link.origin !== location.origin || link.pathname.startsWith("/api/")) return;
      event.preventDefault();
      history.pushState(null, "", link.href);
      this.#code = cutCode();
      this.#show();
    });
  }

  #show(): void {
    this.path = location.pathname;
    window.scrollTo(0, 0);
  }
}

/** The code is taken out of the address, so that it is not passed on by a picture of the screen. */
function cutCode(): string {
  const code = decodeURIComponent(location.hash.slice(1));
  if (code) history.replaceState(null, "", location.pathname);
  return code;
}

export const router = new Router();
