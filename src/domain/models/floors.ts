import { createHash } from 'node:crypto'
import type { ModelSurface } from '#protocol/atoms.js'
import type { Floors } from '#protocol/models/models.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { byToken } from '#src/domain/samples/rulings.js'
import type { SampleRow, Samples } from '#src/domain/samples/samples.js'

/**
 * What the sample store has for a surface. The class of the rows of a surface has its name:
 * `samples/<project>/claims.jsonl`.
 */
export interface SurfaceSamples {
  readonly floors: Floors
  /** The digest of the confirmed rows; null where this host has no sample store. */
  readonly harvestDigest: string | null
}

/** Counts the rows of a surface, once for each state of the store. `samples` null: this host has no store. */
export const samplesOfSurface = (samples: Samples | null, surface: ModelSurface): SurfaceSamples =>
  samples === null ? noStore : (bySurface(samples).get(surface) ?? noRows)

/**
 * The digest of confirmed rows: sha256 over a line `id<TAB>label<TAB>verdict<LF>` for each, by id in the order of
 * UTF-8 bytes; the verdict of a row without one is empty. A trainer computes it from the files alone.
 */
export const harvestDigestOf = (rows: ReadonlyArray<SampleRow>): string => {
  const digest = createHash('sha256')
  const lines = rows
    .filter(({ grade }) => grade === 'confirmed')
    .map(({ id, label, verdict = '' }) => Buffer.from(`${id}\t${label}\t${verdict}\n`))
    .sort((one, other) => one.compare(other))
  for (const line of lines) digest.update(line)
  return digest.digest('hex')
}

const bySurface = perValue((samples: Samples): ReadonlyMap<string, SurfaceSamples> => {
  const rows = new Map<string, Array<SampleRow>>()
  for (const { row } of samples.byId.values()) {
    const known = rows.get(row.class)
    if (known === undefined) rows.set(row.class, [row])
    else known.push(row)
  }
  return new Map([...rows].map(([name, all]) => [name, surfaceSamplesOf(all)]))
})

const surfaceSamplesOf = (rows: ReadonlyArray<SampleRow>): SurfaceSamples => {
  const confirmed = rows.filter(({ grade }) => grade === 'confirmed')
  const people = new Map<string, number>()
  for (const { accepted_by: accepted } of confirmed) {
    const by = accepted?.['by']
    if (typeof by === 'string') people.set(by, (people.get(by) ?? 0) + 1)
  }
  const authenticated = confirmed.filter(row => row.accepted_by?.['authentication'] === byToken).length
  return {
    floors: {
      available: true,
      labels: rows.length,
      confirmed: confirmed.length,
      proposed: rows.filter(({ grade }) => grade === 'proposed').length,
      confirmedBy: [...people]
        .map(([by, count]) => ({ by, rows: count }))
        .sort((a, b) => b.rows - a.rows || (a.by < b.by ? -1 : 1)),
      authentication: {
        transcribed: confirmed.length - authenticated,
        tokenAuthenticated: authenticated,
      },
      unconfirmedShare: rows.length === 0 ? null : (rows.length - confirmed.length) / rows.length,
    },
    harvestDigest: harvestDigestOf(confirmed),
  }
}

const noRows = surfaceSamplesOf([])

const noStore: SurfaceSamples = { floors: { ...noRows.floors, available: false }, harvestDigest: null }
