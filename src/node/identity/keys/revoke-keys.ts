import { type Either, map, right } from 'fp-ts/lib/Either.js'
import { exitCodes } from '#protocol/exit-code.js'
import type { RevokedKeys, RevokeOptions } from '#src/cli/keys.js'
import { withdrawKeys } from '#src/domain/identity/private-keys.js'
import type { Stop } from '#src/node/start/checkout.js'
import { readCheckout, stopWith } from './keys-checkout.js'
import { type KeysPlan, type KeysPublication, type PlanKeys, publishFleetKeys } from './publish-fleet-keys.js'

interface Revoking extends KeysPlan {
  readonly kids: ReadonlyArray<string>
}

const planRevocation =
  (town: string): PlanKeys<Revoking> =>
  stored => {
    const kids = (stored?.keys ?? []).filter(key => key.town === town).map(({ kid }) => kid)
    if (stored !== null && kids.length > 0)
      return right({ file: withdrawKeys(stored, town), kids, subject: `without the fleet keys of ${town}` })
    const towns = [...new Set((stored?.keys ?? []).map(key => key.town))]
    return stopWith(
      exitCodes.usage,
      `no key of ${town} is published; ` +
        (towns.length === 0 ? 'nor is any other.' : `there are keys of ${towns.join(', ')}.`),
    )
  }

/**
 * Withdraws the published keys of a town, from any checkout, without their private halves
 * (docs/spec/fleet-keys.md#revoke). Creates no key and no state area, and commits like a person would, also
 * while a daemon serves the checkout.
 */
export const revokeKeys = (options: RevokeOptions): Promise<Either<Stop, RevokedKeys>> =>
  readCheckout(options.repo, undefined, async ({ path: repo }) =>
    map(({ plan: { file, kids }, commit, behind }: KeysPublication<Revoking>) => ({
      town: options.town,
      revoked: kids,
      epoch: file.epoch,
      keys: file.keys,
      commit,
      behind,
    }))(await publishFleetKeys(repo, 'kronika keys revoke', planRevocation(options.town))),
  )
