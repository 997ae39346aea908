/** Ranking of the seats of a match by their totals; ties share a rank. */
export interface RankedSeat {
  seat: number;
  rank: number;
}

export function rankSeats(totals: number[]): RankedSeat[] {
  return totals
    .map((total, seat) => ({ seat, rank: 1 + totals.filter((other) => other > total).length }))
    .toSorted((one, other) => one.rank - other.rank);
}
