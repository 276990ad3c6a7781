const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)

/**
 * Parses a configured address if requests to it are safe: over TLS, or on this machine. Null for any other,
 * because its answers are trusted, and requests to it may carry a credential.
 */
export const safeAddress = (url: string): URL | null => {
  if (!URL.canParse(url)) return null
  const address = new URL(url)
  const isSafe =
    address.protocol === 'https:' || (address.protocol === 'http:' && isLoopback(address.hostname))
  return isSafe ? address : null
}

/**
 * The base URL of an interface, without a slash at its end. Null where the address is not safe, or where it has
 * a password, a query or a fragment, to which no path can be appended.
 */
export const safeBase = (url: string): string | null => {
  const address = safeAddress(url)
  if (address === null || `${address.username}${address.password}${address.search}${address.hash}` !== '')
    return null
  return `${address.origin}${address.pathname.replace(/(?<!\/)\/+$/, '')}`
}
