/**
 * Files that are never merged although git could merge their lines: where both sides changed one, the version of
 * the remote stands and that of this host is parked. A topology of two halves is one that no person wrote (D46).
 */
export const wholeFiles: ReadonlyArray<string> = ['.svc/fleet.json']
