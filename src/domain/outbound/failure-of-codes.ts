import type { OutboundFailure } from '#protocol/outbound.js'

/**
 * Errors of this host: its name service does not answer, it has no descriptor, port, memory or network left, or
 * its own firewall forbids the call. `ENOTFOUND` is none of them, because a name server answered.
 */
const ownCodes: ReadonlySet<string> = new Set([
  ...['EAI_AGAIN', 'EAI_FAIL', 'EAI_MEMORY', 'EAI_SYSTEM', 'EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'],
  ...['EADDRNOTAVAIL', 'ENETDOWN', 'ENETUNREACH', 'EACCES', 'EPERM', 'ECANCELED'],
])

/** How the codes of OpenSSL and of Node's own checks of a certificate begin. */
const tlsPrefixes = [
  ...['ERR_TLS_', 'ERR_SSL_', 'CERT_', 'CRL_', 'ERROR_IN_C', 'UNABLE_TO_', 'SELF_SIGNED_', 'DEPTH_ZERO_'],
  ...['INVALID_', 'PATH_LENGTH_', 'HOSTNAME_MISMATCH', 'OUT_OF_MEM'],
]

/** EPROTO is an answer that is no TLS. */
const isTls = (code: string): boolean =>
  code === 'EPROTO' || tlsPrefixes.some(prefix => code.startsWith(prefix))

/**
 * Names the failure of a connection by the error codes of its attempts: one for each address of the host. One
 * attempt that reached the other side says more than another that did not leave.
 */
export const failureOfCodes = (codes: ReadonlyArray<string>): OutboundFailure => {
  if (codes.length > 0 && codes.every(code => ownCodes.has(code))) return 'not_sent'
  if (codes.some(isTls)) return 'tls'
  if (codes.includes('ECONNREFUSED')) return 'refused'
  if (codes.includes('ETIMEDOUT')) return 'timeout'
  return codes.some(code => code.startsWith('HPE_')) ? 'malformed' : 'unreachable'
}
