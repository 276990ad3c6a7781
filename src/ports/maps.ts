import type { Either } from 'fp-ts/lib/Either.js'
import type { DimensionFault, MapFailure } from '#protocol/lore/maps.js'
import type { RefusalOf } from '#protocol/refusal.js'

/** The size of a picture in pixels, or why it is not known. */
export type PictureSize =
  | { readonly _tag: 'Size'; readonly width: number; readonly height: number }
  | { readonly _tag: 'NoSize'; readonly reason: DimensionFault }

/** Reads the size of the picture at an address that is not trusted. Never rejects, and ends within its limits. */
export type MeasurePicture = (url: string, signal: AbortSignal) => Promise<PictureSize>

/** A map and the address of its picture. */
export interface MapPicture {
  readonly name: string
  readonly url: string
}

/** What a run of measurements found. */
export interface MapsMeasured {
  /** `wymiary` is the size in tiles, as `96x64`. */
  readonly sizes: ReadonlyArray<MapPicture & { readonly wymiary: string }>
  readonly failed: ReadonlyArray<MapFailure>
  /** How many maps the run came to, from the first on. */
  readonly reached: number
  readonly budgetExhausted: boolean
  /** Transport faults in a row at the end of the run. */
  readonly failures: number
}

export interface MeasureLimits {
  /** No map is begun after this time. */
  readonly maxMs: number
  /** Transport faults in a row before the run. */
  readonly failures: number
  /** Ends the run, also within a request. */
  readonly signal: AbortSignal
  /** Whether someone still waits for the result. */
  readonly isWanted: () => boolean
}

/** Measures the pictures of maps, one after the other. Refuses while this host measures others. Never rejects. */
export type MeasureMaps = (
  maps: ReadonlyArray<MapPicture>,
  limits: MeasureLimits,
) => Promise<Either<RefusalOf<'Overloaded'>, MapsMeasured>>

/** How far the sweeps of the maps have come on this host. */
export interface MapCheckup {
  /** Place in the catalogue that the next tick begins at. */
  readonly cursor: number
  /** Transport faults in a row up to now. */
  readonly failures: number
  /** Before this wall time a tick does nothing. */
  readonly dueMs: number
}

/** The state of the map checkup. It outlives the process. */
export interface MapCheckupStore {
  /** Null where no tick has ended yet. */
  readonly find: () => MapCheckup | null
  /** On disk when it returns. Throws where the disk refuses. */
  readonly keep: (state: MapCheckup) => void
}
