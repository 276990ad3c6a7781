import type { OutgoingRequest } from '#src/adapters/outbound/exchange.js'
import { type Secret, secretOf } from '#src/ports/identity.js'
import type { Trace } from '#test/simulation/node/trace.js'

/** The token with which each host calls the forge, held against S34. */
export interface SecretChecks {
  readonly tokenOf: (host: string) => Secret
  /** A host logged, committed or answered this. */
  readonly wrote: (what: string, text: string) => void
  /** A host calls the forge: its token is in one header, and nowhere else. */
  readonly calls: (host: string, address: URL, request: OutgoingRequest) => void
}

/** Part of every token of a simulated fleet. */
const mark = 'glpat-simulated'

const tokenHeader = 'private-token'

export const secretChecks = (violation: Trace['violation']): SecretChecks => {
  const tokenOf = (host: string): Secret => secretOf(`${mark}-${host.toLowerCase()}`)
  const wrote = (what: string, text: string): void => {
    if (text.includes(mark)) violation(`a token of the forge is in ${what} (S34)`)
  }
  return {
    tokenOf,
    wrote,
    calls: (host, address, { headers, body }) => {
      const { [tokenHeader]: token, ...others } = headers
      if (token !== tokenOf(host).reveal())
        violation(`${host} calls the forge with the token of another, or none (S34)`)
      wrote(`the address of a call of ${host}`, address.href)
      wrote(`a call of ${host}`, JSON.stringify([others, body]))
    },
  }
}
