import type { OutboundFailure } from '#protocol/outbound/failure.js'

/**
 * Errors of this host: its name service does not answer, it has no descriptor, port, memory or network left, or
 * its own firewall forbids the call. `ENOTFOUND` is none of them, because a name server answered.
 */
const ownCodes: ReadonlySet<string> = new Set([
  ...['EAI_AGAIN', 'EAI_FAIL', 'EAI_MEMORY', 'EAI_SYSTEM', 'EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'],
  ...['EADDRNOTAVAIL', 'ENETDOWN', 'ENETUNREACH', 'EACCES', 'EPERM', 'ECANCELED'],
])

/** The codes of OpenSSL and of Node's own checks of a certificate; EPROTO is an answer that is no TLS. */
const tlsCode =
  /^(?:EPROTO|OUT_OF_MEM|HOSTNAME_MISMATCH|(?:ERR_TLS|ERR_SSL|CERT|CRL|ERROR_IN_C|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|INVALID|PATH_LENGTH)_\w+)$/

/**
 * Names the failure of a connection by the error codes of its attempts: one for each address of the host. One
 * attempt that reached the other side says more than another that did not leave.
 */
export const failureOfCodes = (codes: ReadonlyArray<string>): OutboundFailure => {
  if (codes.length > 0 && codes.every(code => ownCodes.has(code))) return 'not_sent'
  if (codes.some(code => tlsCode.test(code))) return 'tls'
  if (codes.includes('ECONNREFUSED')) return 'refused'
  if (codes.includes('ETIMEDOUT')) return 'timeout'
  return codes.some(code => code.startsWith('HPE_')) ? 'malformed' : 'unreachable'
}
