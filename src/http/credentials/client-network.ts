import type { IncomingMessage } from 'node:http'
import { clientAddress, networkOf, trustProxies } from './client-address.js'

/** The network of a client, by which the public sign-in rows are limited. It is not written anywhere. */
export type ClientNetwork = (req: IncomingMessage) => string

const forwardedOf = ({ headers }: IncomingMessage): string | undefined => {
  const value = headers['x-forwarded-for']
  return typeof value === 'string' ? value : value?.join(',')
}

/**
 * Determines the network from the peer, or from `X-Forwarded-For` where the peer is one of these proxies
 * (ADR 1021).
 */
export const clientNetworkBehind = (proxies: ReadonlyArray<string>): ClientNetwork => {
  const isTrusted = trustProxies(proxies)
  return req => networkOf(clientAddress(req.socket.remoteAddress, forwardedOf(req), isTrusted))
}
