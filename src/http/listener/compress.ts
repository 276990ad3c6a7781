import { promisify } from 'node:util'
import { gzip, gzipSync } from 'node:zlib'

/** The smallest body that is compressed, in bytes, for callers that accept gzip (A 4.1.7). */
export const gzipBytesMin = 1024

const zip: (bytes: Buffer, options: { readonly chunkSize: number }) => Promise<Buffer> = promisify(gzip)

/**
 * Each output chunk costs a turn of the loop. Answers shrink to less than a quarter, so most need one chunk.
 */
const piecesOf = (bytes: Buffer) => ({ chunkSize: Math.max(16 * 1024, bytes.length >> 2) })

/** Compresses outside the main thread (D16). */
export const compressBytes = (bytes: Buffer): Promise<Buffer> => zip(bytes, piecesOf(bytes))

/** Compresses synchronously: for a thread that has no other work. */
export const compressBytesHere = (bytes: Buffer): Buffer => gzipSync(bytes, piecesOf(bytes))

export const isWorthGzip = (bytes: Buffer): boolean => bytes.length >= gzipBytesMin

const weightOf = (parameters: ReadonlyArray<string>): number => {
  const q = parameters.map(one => /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(one)).find(one => one !== null)
  return q?.[1] === undefined ? 1 : Number(q[1])
}

const weightOfCoding = (header: string, coding: string): number | null => {
  for (const part of header.split(',')) {
    const [name, ...parameters] = part.split(';')
    if (name?.trim().toLowerCase() === coding) return weightOf(parameters)
  }
  return null
}

/** Whether an `Accept-Encoding` accepts gzip: named with a weight above 0, or covered by `*`. */
export const acceptsGzip = (header: string | undefined): boolean => {
  if (header === undefined) return false
  if (header === 'gzip') return true
  return (weightOfCoding(header, 'gzip') ?? weightOfCoding(header, '*') ?? 0) > 0
}
