import type { IncomingMessage } from 'node:http'
import { clientAddress, networkOf, trustProxies } from './client-address.js'

/** The network that a request comes from: what public sign-in counts clients by. It is written nowhere. */
export type ClientNetwork = (req: IncomingMessage) => string

const forwardedOf = ({ headers }: IncomingMessage): string | undefined => {
  const value = headers['x-forwarded-for']
  return typeof value === 'string' ? value : value?.join(',')
}

/** By the peer, or by `X-Forwarded-For` where the peer is one of these proxies (ADR 1021). */
export const clientNetworkBehind = (proxies: ReadonlyArray<string>): ClientNetwork => {
  const isTrusted = trustProxies(proxies)
  return req => networkOf(clientAddress(req.socket.remoteAddress, forwardedOf(req), isTrusted))
}
