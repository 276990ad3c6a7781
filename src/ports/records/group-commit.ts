/**
 * Runs a write of a database in one transaction with every other write of the same turn of the loop, so that all of
 * them wait for the disk once. The promise resolves with the result when the write is on disk, and rejects where the
 * write throws or the disk refuses. A write may run twice, of which one run is rolled back, so it has no effect beside
 * the database.
 */
export type GroupCommit = <A>(write: () => A) => Promise<A>
