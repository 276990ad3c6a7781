import { verifyJws } from '#src/adapters/jose.js'
import { fleetResolver } from '#src/http/credentials/authenticate.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { nowMs } from '#test/support/front.js'
import {
  fleetHeader,
  fleetWorld,
  goodClaims,
  keysFile,
  publishedKeyOf,
  signCompact,
  type TestHost,
  testHost,
} from './fleet.js'

/**
 * Arkadia, whose key is published beside those of others: the header and claims of a token that is valid now,
 * and a signer.
 */
export const arkadiaBeside = (others: ReadonlyArray<TestHost> = [], epoch = 1) => {
  const host = testHost('Arkadia')
  const keys = keysFile({ epoch, keys: [host, ...others].map(one => publishedKeyOf(one)) })
  return {
    host,
    keys,
    world: fleetWorld(keys),
    header: fleetHeader(host),
    claims: { ...goodClaims(host, nowMs), epoch },
    signedHere: (header: unknown, claims: unknown): string => signCompact(host.privateKey, header, claims),
  }
}

/**
 * The name of the bearer of a fleet token, given without its prefix; null if it is refused. Verified tokens
 * are cached.
 */
export const fleetBearerOf =
  (resolve = fleetResolver(verifyJws)) =>
  async (jws: string, snapshot: Snapshot | null): Promise<string | null> =>
    (await resolve(`fsess_${jws}`, snapshot, nowMs))?.gracz ?? null
