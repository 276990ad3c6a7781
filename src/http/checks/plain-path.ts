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
 * A path of a request without percent escapes, as a record keeps it, so that a credential looks in it as it does
 * elsewhere. What somebody escaped twice or thrice is undone as well; where a path does not decode, the escapes of
 * ASCII are undone and the others stay.
 */
export const plainPath = (path: string): string => {
  if (!path.includes('%')) return path
  let plain = decodePath(path)
  for (let round = 1; round < roundsMax && plain.includes('%'); round += 1) plain = decodeAscii(plain)
  return plain
}
