/** Limits of the rows of names, also shown in the reference. */

/** A longer text is the name of nothing. */
export const nameCharsMax = 400
/** A longer `within` names no place: it may be a path of several names. */
export const withinCharsMax = 1_000
/** Queries of one batch. */
export const queriesMax = 10_000
/** Candidates of one resolved name, and how many there are without `topN`. */
export const candidatesMax = 200
export const candidatesShown = 20
/** The largest spelling distance of the fuzzy stage. */
export const distanceMax = 3
/** Page of a search of entities: without `limit`, and the largest. */
export const searchPageShown = 50
export const searchPageMax = 200
