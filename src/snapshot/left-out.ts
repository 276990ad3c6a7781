import { perValue } from '#src/domain/caching/per-value.js'
import { refLeftOut } from '#src/domain/entities/follow-ref.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { Snapshot } from './snapshot.js'

/** The kind of the finding about a ledger that cannot be read. */
export const ledgerUnread = 'LedgerUnread'

/** The ledgers that HEAD has and that cannot be read: what they say is unknown, so no write may be planned. */
export const unreadLedgers = (snapshot: Pick<Snapshot, 'findings'> | null): ReadonlyArray<string> =>
  snapshot === null ? [] : unreadIn(snapshot)

const unreadIn = perValue(
  ({ findings }: Pick<Snapshot, 'findings'>): ReadonlyArray<string> =>
    findings.filter(({ kind }) => kind === ledgerUnread).map(({ file }) => file),
)

const refsIn = perValue(
  (findings: ReadonlyArray<Finding>): number =>
    findings.filter(finding => finding.kind === refLeftOut).length,
)

/**
 * Number of files that are not read because they are too large, and of blocks whose `@ref` is not followed
 * for that reason.
 */
export const countLeftOut = (
  snapshot: Snapshot,
): { readonly files: number; readonly references: number } => ({
  files: snapshot.leftOut.size,
  references: refsIn(snapshot.entities.findings),
})
