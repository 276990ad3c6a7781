/** Pieces that are kept apart before they are joined. */
const piecesMax = 1_024

/** The bytes of a body that comes in pieces. */
export interface GatheredBytes {
  readonly add: (piece: Buffer) => void
  readonly lengthBytes: () => number
  /** Buffers that are held now. */
  readonly held: () => number
  readonly joined: () => Buffer
}

/**
 * Joins each 1,024 pieces: a Buffer takes far more memory than the byte that a slow peer sends in one. Each byte
 * is copied twice at most.
 */
export const gatherBytes = (): GatheredBytes => {
  const blocks: Array<Buffer> = []
  let pieces: Array<Buffer> = []
  let length = 0
  return {
    add: piece => {
      length += piece.length
      pieces.push(piece)
      if (pieces.length < piecesMax) return
      blocks.push(Buffer.concat(pieces))
      pieces = []
    },
    lengthBytes: () => length,
    held: () => blocks.length + pieces.length,
    joined: () => Buffer.concat([...blocks, ...pieces]),
  }
}
