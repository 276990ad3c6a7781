const escapedAscii = /%[0-7][\da-f]/gi
const roundsMax = 3

const decodeAscii = (text: string): string =>
  text.replace(escapedAscii, sign => String.fromCharCode(Number.parseInt(sign.slice(1), 16)))

const decodePath = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return decodeAscii(path)
  }
}

/**
 * The path of a request without percent escapes, as records store it, so that the scrubber recognizes a
 * credential in it. Double and triple escapes are decoded too. Where a path does not decode, only the escapes
 * of ASCII are decoded.
 */
export const plainPath = (path: string): string => {
  if (!path.includes('%')) return path
  let plain = decodePath(path)
  for (let round = 1; round < roundsMax && plain.includes('%'); round += 1) plain = decodeAscii(plain)
  return plain
}
