import { hash } from 'node:crypto'
import type { Artifact } from '#src/domain/fleet/derived.js'
import type { DerivedArtifacts } from '#src/ports/fleet.js'

/** The tree of an archive that the tests name. */
export const archiveStamp = 'a'.repeat(40)

/** The mentions of an archive, with these bytes. */
export const mentionsOf = (
  stamp: string,
  bytes: Buffer = Buffer.from('{"lines":{"Brzoza":[3]}}'),
): Artifact => ({ kind: 'mentions', stamp, sha256: hash('sha256', bytes, 'hex'), bytes })

/** A host whose mentions describe its archive. */
export const freshMentions: DerivedArtifacts = {
  archive: () => archiveStamp,
  artifacts: () => new Map([['mentions', mentionsOf(archiveStamp)]]),
}
