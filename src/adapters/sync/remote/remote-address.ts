import { safeBase } from '#src/domain/outbound/outbound.js'

/** How a remote is reached; git is allowed only this transport. */
export type Transport = 'file' | 'ssh' | 'https' | 'http'

const transports: ReadonlySet<string> = new Set<Transport>(['file', 'ssh', 'https'])

const isTransport = (scheme: string): scheme is Transport => transports.has(scheme)

/**
 * Whether an address of http has plain characters alone in its host: git splits an address such as
 * `http://127.0.0.1\\@host/` by other rules than `URL`.
 */
const isPlainHttp = (text: string): boolean => /^http:\/\/[\w.:[\]-]+(\/|$)/i.test(text)

/**
 * The transport of a remote's URL; null for every other: `http` of another machine or with a password, `git`,
 * helpers such as `ext::`. A URL without a scheme is a path, or the short form of ssh (`host:path`).
 */
export const transportOf = (address: string): Transport | null => {
  const text = address.trim()
  if (text === '' || text.startsWith('-') || /[\u0000-\u001f]/.test(text) || /^[^/]*::/.test(text))
    return null
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase()
  if (scheme === 'http') return isPlainHttp(text) && safeBase(text) !== null ? 'http' : null
  if (scheme !== undefined) return isTransport(scheme) ? scheme : null
  return /^[^/:]+:/.test(text) ? 'ssh' : 'file'
}

/** Whether the configured name of a branch or remote is a plain name, not an option or a path. */
export const isRemoteName = (name: string): boolean => /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/.test(name)

export const isBranchName = (name: string): boolean =>
  /^[^\s~^:?*[\\\u0000-\u0020\u007f-][^\s~^:?*[\\\u0000-\u0020\u007f]{0,199}$/u.test(name) &&
  !/^HEAD$|^@$|\.\.|@\{|\/\/|\/$|\.$|(^|\/)\.|\.lock(\/|$)/.test(name)

/** A name, encoded so that it is one part of a ref, whatever it has. */
export const refPartOf = (name: string): string =>
  [...Buffer.from(name, 'utf8')]
    .map(byte => {
      const letter = String.fromCharCode(byte)
      return /[A-Za-z0-9_-]/.test(letter) ? letter : `%${byte.toString(16).padStart(2, '0')}`
    })
    .join('')

/** The town as a part of a ref; `host` for a host without a town. */
const townPartOf = (town: string): string => refPartOf(town === '' ? 'host' : town)

/** The folder of this host's parked refs. */
export const parkedFolderOf = (town: string): string => `refs/svc/parked/${townPartOf(town)}`

/** The branch of the remote to which this host pushes its commits in mode `mr`. */
export const publishBranchOf = (town: string): string => `svc/publish/${townPartOf(town)}`
