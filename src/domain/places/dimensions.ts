import type { DimensionFault } from '#protocol/lore/maps.js'

/** The size of a picture in tiles of 32 pixels, as `@wymiary` has it; or the fault of one that has half a tile. */
export const judgeSize = ({ width, height }: PixelSize): Judged =>
  width % tilePixels === 0 && height % tilePixels === 0
    ? { _tag: 'Tiles', wymiary: `${width / tilePixels}x${height / tilePixels}` }
    : { _tag: 'Fault', reason: `NotTileMultiple:${width}x${height}` }

/**
 * Whether a fault is one of the transport: the next picture of the same host may well have it too, so it spends the
 * failure budget of a run (A 4.8).
 */
export const isTransportFault = (fault: DimensionFault): boolean =>
  transportFaults.has(fault) || fault === 'Status:429' || fault.startsWith('Status:5')

/** Pixels of a side of a tile (A 8). */
const tilePixels = 32

interface PixelSize {
  readonly width: number
  readonly height: number
}

type Judged =
  | { readonly _tag: 'Tiles'; readonly wymiary: string }
  | { readonly _tag: 'Fault'; readonly reason: DimensionFault }

const transportFaults: ReadonlySet<DimensionFault> = new Set<DimensionFault>([
  'AddressNotAllowed',
  'TooManyRedirects',
  'Unreachable',
  'Timeout',
  'BadAnswer',
])
