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
