import { type Either, right } from 'fp-ts/lib/Either.js'
import { exitCodes } from '#protocol/exit-code.js'
import { checkoutHolder } from '#src/adapters/state/fence.js'
import { readListening } from '#src/adapters/state/state-area.js'
import type { Stop } from '../start/checkout.js'
import { stopWith } from './keys/keys-checkout.js'

/**
 * Checks that the process that holds a checkout is the daemon of this town: another would not sign with the
 * town's key. Passes where no process holds the checkout.
 */
export const checkDaemonTown = (repo: string, state: string, town: string): Either<Stop, null> => {
  const holder = checkoutHolder(repo, state)
  if (holder === null) return right(null)
  const daemon = readListening(state)
  if (daemon === null)
    return stopWith(
      exitCodes.held,
      `${state} is held by ${holder}, which does not say which town it serves. Wait until it does, or name the ` +
        'state area of the daemon with --state.',
    )
  if (daemon.town === town) return right(null)
  const mend =
    daemon.town === ''
      ? `start it with kronika serve --town ${town}`
      : `rotate with --town ${daemon.town}, or start it with the other town`
  return stopWith(
    exitCodes.usage,
    `the daemon that serves this checkout has ${daemon.town === '' ? 'no town' : `the town ${daemon.town}`} and ` +
      `would sign with no key of ${town}: ${mend}.`,
  )
}
