/** Anchors: elements outside the board, as start and end of its animations; null if they are not on the page. */
import type { Attachment } from "svelte/attachments";

export interface Anchors {
  /** The seat in the list of players, with the game's `Seat` in it. */
  seat(seat: number): Element | null;
  /** Makes an element of the game's `Tray` an anchor, under a key of the game's own: `{@attach anchors.mark("hand")}`. */
  mark(key: string): Attachment;
  /** The element that is marked with the key. */
  find(key: string): Element | null;
}

export const NO_ANCHORS: Anchors = { seat: () => null, mark: () => () => {}, find: () => null };

/** Anchors of one page, which knows where its seats are. */
export function createAnchors(seat: Anchors["seat"]): Anchors {
  const elements = new Map<string, Element>();
  const attachments = new Map<string, Attachment>(); // one per key: a new one would be attached anew at every update

  function createAttachment(key: string): Attachment {
    return (element) => {
      elements.set(key, element);
      return () => {
        if (elements.get(key) === element) elements.delete(key);
      };
    };
  }

  return {
    seat,
    mark(key) {
      const attachment = attachments.get(key) ?? createAttachment(key);
      attachments.set(key, attachment);
      return attachment;
    },
    find: (key) => elements.get(key) ?? null,
  };
}
