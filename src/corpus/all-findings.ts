import type { Finding } from '#src/lore/finding.js'
import type { Snapshot } from './snapshot.js'

/** Everything that any reader noticed in the committed tree: what `doctor` prints and the gauges count. */
export const allFindings = (snapshot: Snapshot): ReadonlyArray<Finding> => [
  ...snapshot.findings,
  ...snapshot.entities.findings,
  ...snapshot.people.findings,
  ...[...snapshot.characterFiles.values()].flatMap(file => file.findings),
  ...snapshot.sessions.findings,
  ...snapshot.batches.findings,
]
