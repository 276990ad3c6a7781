import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import type { KeyKeeperPorts, KeysFetched } from '#actors/key-keeper.js'
import type { FetchTrouble } from '#protocol/outbound.js'
import { fetchText } from '#src/adapters/outbound/fetch-text.js'
import { keyPrint } from '#src/domain/identity/key-documents.js'
import { tell } from '#src/kernel/actor/ref.js'
import type { NodeParts } from '#src/node/tree/node-parts.js'
import { chatUserAgent } from '#src/node/version.js'
import type { SignInKey } from '#src/ports/identity.js'
import { keyUrl } from './sign-in-keys.js'

const limits = { timeoutMs: 5_000, bytesMax: 64 * 1024 }

const outcomeOf = (fetched: Either<FetchTrouble, string>): KeysFetched['outcome'] =>
  isLeft(fetched) ? { _tag: 'Failed', why: fetched.left } : { _tag: 'Text', text: fetched.right }

/** Public data that shows in the log whether the key or the signature was wrong. */
const printKey = ({ kid, key }: SignInKey) => ({ kid, spki: keyPrint(key) })

/** The ports of the key keeper on this host. A full mailbox loses an outcome; the fetch is then overdue. */
export const keyKeeperPorts = ({ config, log, metrics, tree, version }: NodeParts): KeyKeeperPorts => ({
  launch: (source, flight, signal) =>
    void fetchText(
      keyUrl(config, source),
      limits,
      signal,
      source === 'jwks' ? chatUserAgent(version) : null,
    ).then(fetched =>
      tell(tree.doors.keys, { _tag: 'Fetched', source, flight, outcome: outcomeOf(fetched) }),
    ),
  fetched: (source, told) => {
    metrics.meter.count('svc_auth_key_fetches_total', { source, result: told.result })
    if (told.result === 'ok') log.info('key_fetched', { source, keys: told.keys.map(printKey) })
    else log.warn('key_fetch_failed', { source, result: told.result })
  },
})
