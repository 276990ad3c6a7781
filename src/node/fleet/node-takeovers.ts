import type { Config } from '#protocol/config.js'
import { takeoverGit } from '#src/adapters/sync/remote/takeover-git.js'
import { realClock } from '#src/kernel/time/clock.js'
import { daemonBreather } from '#src/kernel/work-scheduler.js'
import type { TakeoverGit } from '#src/ports/git.js'
import type { Meter } from '#src/ports/records.js'
import type { Secrets } from '../identity/keys/secrets.js'
import type { Log } from '../records/log.js'
import { type Checkout, reasonOf } from '../start/checkout.js'
import { type FleetSight, noFleet } from './fleet-sight.js'
import { forgeOf, type HostForge } from './forge-of.js'
import { type CooldownCache, openCooldown } from './takeover-cooldown.js'
import { openTakeoverErrors, type TakeoverErrors } from './takeover-errors.js'

/** The parts of takeovers that the rows and the actuator share. */
export interface NodeTakeovers {
  readonly sight: FleetSight
  readonly forge: HostForge
  readonly git: TakeoverGit
  readonly cooldown: CooldownCache
  readonly errors: TakeoverErrors
}

interface Sources {
  readonly checkout: Pick<Checkout, 'repo' | 'state'>
  readonly config: Config
  readonly town: string
  readonly secrets: Secrets
  readonly version: string
  readonly meter: Meter
  readonly log: Pick<Log, 'warn'>
}

/** Opens the parts of takeovers; makes no call. */
export const nodeTakeovers = (
  { checkout, config, town, secrets, version, meter, log }: Sources,
  sight: FleetSight = noFleet,
): NodeTakeovers => {
  const forge = forgeOf({ config, secrets, version, meter, nowMs: realClock.nowMs })
  const git = takeoverGit({
    repo: checkout.repo,
    state: checkout.state,
    remote: config['server.sync_remote'],
    branch: config['server.sync_branch'],
    town,
    breathe: daemonBreather(),
  })
  const cooldown = openCooldown({
    readFlip: git.readFlip,
    onUnread: error => log.warn('takeover_origin_unread', { reason: reasonOf(error) }),
    forge: forge._tag === 'Forge' ? forge.call : null,
    cooldownHours: config['fleet.auto_failover.cooldown_hours'],
    nowMs: realClock.nowMs,
    monotonicMs: realClock.monotonicMs,
  })
  return { sight, forge, git, cooldown, errors: openTakeoverErrors() }
}
