import { scrubbed } from '#src/domain/redaction/scrub.js'

/** What stands before the last `@` of an address, and what that is told as. */
interface Parts {
  readonly scheme: string
  readonly before: string
  readonly after: string
}

const partsOf = (address: string): Parts => {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(address)?.[0] ?? ''
  const at = address.lastIndexOf('@')
  return at < scheme.length
    ? { scheme, before: '', after: address.slice(scheme.length) }
    : { scheme, before: address.slice(scheme.length, at), after: address.slice(at + 1) }
}

/** `git@host:x.git` names a user, as every key is shown to one; with a scheme, who can tell a user from a token. */
const isSecret = ({ scheme, before }: Parts): boolean =>
  scheme === '' ? before.includes(':') : before !== ''

/**
 * The address of a remote as it is shown (S34, ADR 1023): whatever stands before its last `@` is withheld, blanks and
 * slashes too, and so is everything behind a question mark.
 */
export const shownAddress = (address: string): string => {
  const parts = partsOf(address)
  const { scheme, before, after } = parts
  if (before.includes('?')) return `${scheme}[redacted]`
  const query = after.indexOf('?')
  const rest = query < 0 ? after : `${after.slice(0, query)}?[redacted]`
  const user = before === '' ? '' : `${isSecret(parts) ? '[redacted]' : before}@`
  return scrubbed(`${scheme}${user}${rest}`)
}

/** What git says of an address, shown: git repeats it whole, or the part that is a secret. */
export const shownAbout = (address: string): ((text: string) => string) => {
  const parts = partsOf(address)
  const shown = shownAddress(address)
  return text => {
    const named = address === '' ? text : text.replaceAll(address, () => shown)
    return scrubbed(isSecret(parts) ? named.replaceAll(`${parts.before}@`, '[redacted]@') : named)
  }
}
