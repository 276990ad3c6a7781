import type { LintFinding } from '#protocol/lore/places.js'

/** A commit from the remote that changed files or rows which only this daemon writes. */
export interface RobotChange {
  readonly commit: string
  readonly author: string
  /** Its trailer `Svc-Route`; empty when a person made it. */
  readonly route: string
  /** Whether a host of the fleet provably made it, so that `route` is true. */
  readonly verified: boolean
  readonly files: ReadonlyArray<string>
}

/** Rows of the entity and character files that only the PU batch writes. */
export const robotRows = ['pu_suma', 'pu_zdobyte', 'pu_nadmiar'] as const

/** Files that only the daemon writes, as git path patterns. */
export const robotPaths = ['.svc/pu', '.svc/close', '.svc/money', ':(glob)Lokacje/**/Sesje.md'] as const

const settlement =
  /^(?:[A-Z]+ )?(?:\/workflows\/|\/import$|\/locations\/reindex$|\/session-registry\/regenerate$)/

/** The note that a commit claims to be a settlement without proof; empty when it claims nothing. */
const doubtOf = (route: string): string =>
  settlement.test(route) ? '; podaje się za rozliczenie, czego nie potwierdza żaden klucz floty' : ''

/**
 * Findings for commits that changed a robot's file outside the settlement window (A 2.5, D35): one per
 * commit.
 */
export const foreignChanges = (changes: ReadonlyArray<RobotChange>): ReadonlyArray<LintFinding> =>
  changes
    .filter(({ files, route, verified }) => files.length > 0 && !(verified && settlement.test(route)))
    .map(({ commit, author, files, route }) => ({
      kind: 'obca-zmiana-pliku-robota',
      severity: 'warning',
      entity: null,
      reason: `Commit ${commit.slice(0, 12)} (${author}) zmienia to, co zapisuje wyłącznie robot${doubtOf(route)}.`,
      files,
      values: [commit],
    }))
