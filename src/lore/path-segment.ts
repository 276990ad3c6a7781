/** A name as one segment of a path: nothing in it may leave the folder or end the segment. */
export const pathSegment = (name: string): string => {
  const plain = name
    .normalize('NFC')
    .replace(/[/\\\p{Cc}]/gu, '-')
    .trim()
  return /^(?:\.{0,2}|\.git)$/iu.test(plain) ? `_${plain.slice(1)}` : plain
}
