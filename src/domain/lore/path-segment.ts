import { nfc } from '#protocol/atoms.js'

/** A name as one segment of a path: it cannot leave the folder or end the segment. */
export const pathSegment = (name: string): string => {
  const plain = nfc(name)
    .replace(/[/\\\p{Cc}]/gu, '-')
    .trim()
  return /^(?:\.{0,2}|\.git)$/iu.test(plain) ? `_${plain.slice(1)}` : plain
}

const segmentBytesMax = 255
const pathBytesMax = 1024

/** Whether every checkout can hold a path, also inside the folder of its clone. */
export const pathFits = (path: string): boolean =>
  Buffer.byteLength(path) <= pathBytesMax &&
  path.split('/').every(segment => Buffer.byteLength(segment) <= segmentBytesMax)

const device = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])\s*(?:\.|$)/iu
const unheld = /[<>:"|?*/\\\p{Cc}]/u

/**
 * Why some file system cannot hold a segment; null when all can. One path that Windows rejects fails the
 * whole clone of everybody who works there (docs/spec/security.md#security-4-8-26).
 */
export const segmentFault = (segment: string): string | null => {
  if (Buffer.byteLength(segment) > segmentBytesMax) return `is longer than ${segmentBytesMax} bytes`
  if (unheld.test(segment)) return 'has one of < > : " | ? * / \\'
  return device.test(segment) ? 'is a name that file systems reserve' : null
}
