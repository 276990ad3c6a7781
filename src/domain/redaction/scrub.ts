/**
 * Patterns of credentials, with the part of each that is kept. `mark` occurs in every text that the pattern
 * matches: a text without it is not searched, because most texts have none. A word that begins a credential
 * must not follow a letter or digit, except one that ends an escape of JSON (`\n`, `\u001f`) or of a URL
 * (`%20`).
 */
export const credentialPatterns: ReadonlyArray<readonly [mark: string, pattern: RegExp, instead: string]> = [
  ['@', /(:\/\/)[^/\s"\\]+@/g, '$1[redacted]@'],
  ['@', /(:\/\/)[^/"\\@:\n]{0,200}:(?!\d{1,5}\/)[^\s"\\@:]{1,200}@/g, '$1[redacted]@'],
  [
    '@',
    /(?<!\\(?:u[\da-f]{0,3})?)(?<!(?<!\\|\\u[\da-f]{3})[\w.+/-])[\w.+-]{1,100}:[^\s"\\/@:]{1,200}@(?=[\w.-]{1,200}:)/g,
    '[redacted]@',
  ],
  ['_', /(?<!(?<!\\|\\u[\da-f]{3}|%[\da-f])[a-z\d])(f?sess_|apik_|named_)[\w.-]+/gi, '$1[redacted]'],
  [' ', /(?<!(?<!\\|\\u[\da-f]{3}|%[\da-f])[a-z\d])(bearer|basic) +[^\s"\\]+/gi, '$1 [redacted]'],
  ['-----BEGIN ', /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[\w+/=\s-]|\\[nr])*/g, '[redacted]'],
  ['"d', /(\\?"d\\?"\s*:\s*\\?")[\w-]{43}/g, '$1[redacted]'],
  ['/api-keys/claim/', /(\/api-keys\/claim\/)[^/\s"\\?]+/g, '$1[redacted]'],
  ['/webhooks/', /(\/webhooks\/)[^\s"\\?]+/g, '$1[redacted]'],
  ['=', /([?&](?:[\w-]*(?:token|key|secret|password|code))=)[^&\s"\\]+/gi, '$1[redacted]'],
]

/** Any of the marks. Most texts of requests have none, so they are read once. */
const anyMark = /[@_=]|[eE][rR] |[iI][cC] |-----BEGIN |"d|\/api-keys\/claim\/|\/webhooks\//

/**
 * Returns a function that removes credentials from a text for a log, a stream or the journal (S34): `known`
 * ones by value, others by pattern. JSON stays valid. This is the last line of defence: callers must not
 * record secrets in the first place.
 */
export const makeScrubber = (known: ReadonlyArray<string>): ((text: string) => string) => {
  const values = known.filter(value => value.length >= 8)
  return text => {
    let clean = text
    for (const value of values) clean = clean.replaceAll(value, '[redacted]')
    if (!anyMark.test(clean)) return clean
    for (const [mark, pattern, instead] of credentialPatterns)
      if (clean.includes(mark)) clean = clean.replace(pattern, instead)
    return clean
  }
}

/** The scrubber of texts shown to people: by pattern only. */
export const redactCredentials = makeScrubber([])

/** The part before the last `@` of a URL, and what replaces it. */
interface AddressPieces {
  readonly scheme: string
  readonly before: string
  readonly after: string
}

const partsOf = (address: string): AddressPieces => {
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
const isSecret = ({ scheme, before }: AddressPieces): boolean =>
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
