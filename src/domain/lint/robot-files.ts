import type { LintFinding } from '#protocol/places/lint.js'

/** A commit that came from the remote and changed files or rows that only this daemon writes. */
export interface RobotChange {
  readonly commit: string
  readonly author: string
  /** Its trailer `Svc-Route`; empty where a person made it. */
  readonly route: string
  /** Whether a host of the fleet is known to have made it, so that `route` is true. */
  readonly verified: boolean
  readonly files: ReadonlyArray<string>
}

/** Rows of the entity and character files that the PU batch alone writes. */
export const robotRows = ['pu_suma', 'pu_zdobyte', 'pu_nadmiar'] as const

/** Files that the daemon alone writes, as git's path patterns. */
export const robotPaths = ['.svc/pu', '.svc/close', ':(glob)Lokacje/**/Sesje.md'] as const

const settlement =
  /^(?:[A-Z]+ )?(?:\/workflows\/|\/import$|\/locations\/reindex$|\/session-registry\/regenerate$)/

/** Why a commit that says it is a settlement is not taken for one. */
const doubtOf = (route: string): string =>
  settlement.test(route) ? '; podaje się za rozliczenie, czego nie potwierdza żaden klucz floty' : ''

/** Findings of commits that changed a robot's file outside the settlement window (A 2.5, D35): one per commit. */
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
