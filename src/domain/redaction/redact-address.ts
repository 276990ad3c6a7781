import { redactCredentials } from './scrub.js'

/** The part before the last `@` of a URL, and what replaces it. */
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

/**
 * `git@host:x.git` names a user, which is not a secret. With a scheme a user may be a token, so it counts as
 * one.
 */
const isSecret = ({ scheme, before }: Parts): boolean =>
  scheme === '' ? before.includes(':') : before !== ''

/**
 * The URL of a remote for display (S34, ADR 1023): everything before its last `@` is withheld, also blanks
 * and slashes, and so is everything after a question mark.
 */
export const redactAddress = (address: string): string => {
  const parts = partsOf(address)
  const { scheme, before, after } = parts
  if (before.includes('?')) return `${scheme}[redacted]`
  const query = after.indexOf('?')
  const rest = query < 0 ? after : `${after.slice(0, query)}?[redacted]`
  const user = before === '' ? '' : `${isSecret(parts) ? '[redacted]' : before}@`
  return redactCredentials(`${scheme}${user}${rest}`)
}

/** Removes a URL's secrets from git's output: git repeats the URL, or the secret part of it. */
export const redactAddressIn = (address: string): ((text: string) => string) => {
  const parts = partsOf(address)
  const shown = redactAddress(address)
  return text => {
    const named = address === '' ? text : text.replaceAll(address, () => shown)
    return redactCredentials(isSecret(parts) ? named.replaceAll(`${parts.before}@`, '[redacted]@') : named)
  }
}
