/** The reactions that people can show each other. */
export const REACTIONS = ["bravo", "laugh", "wow", "think", "oops", "heart"] as const;

export type ReactionName = (typeof REACTIONS)[number];

export function isReaction(name: string): name is ReactionName {
  return (REACTIONS as readonly string[]).includes(name);
}
