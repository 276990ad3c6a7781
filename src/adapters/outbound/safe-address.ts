const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)

/**
 * An address of the configuration that may be asked: over TLS, or on this machine itself. Null for any other; what
 * comes from there is believed, and what goes there may be a credential.
 */
export const safeAddress = (url: string): URL | null => {
  if (!URL.canParse(url)) return null
  const address = new URL(url)
  const isSafe =
    address.protocol === 'https:' || (address.protocol === 'http:' && isLoopback(address.hostname))
  return isSafe ? address : null
}
