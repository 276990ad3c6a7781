import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { left, right } from 'fp-ts/lib/Either.js'
import { exitCodes } from '#protocol/exit-code.js'
import { FleetPeers } from '#protocol/fleet/peers.js'
import { AnnouncementRecorded, TakeoverAccepted } from '#protocol/fleet/takeover.js'
import { SyncEnded } from '#protocol/host/sync.js'
import { syncRoutes } from '#protocol/host/sync-routes.js'
import { type AskDaemon, daemonClient } from '#src/adapters/outbound/daemon-client.js'
import { checkoutHolder } from '#src/adapters/state/fence.js'
import { machineToken, readListening } from '#src/adapters/state/state-area.js'
import { lastStateArea } from '#src/adapters/state/state-record.js'
import type { FindFleetDaemon, FleetDaemon, FleetScreen } from '#src/cli/fleet/fleet.js'
import { quoteWord } from '#src/cli/output.js'
import type { CommandRefusal } from '#src/cli/print-answer.js'
import { askDecoded } from './ask-decoded.js'

/** Finds the daemon that holds the checkout: another process at its last address would get the machine token. */
export const findFleetDaemon: FindFleetDaemon = (options, ended) => {
  const repo = resolve(options.repo)
  if (!isFolder(repo)) return left({ code: exitCodes.usage, refusal: refuseAbsent(repo) })
  const state = options.state === undefined ? join(repo, '.svc/state') : resolve(options.state)
  const holder = checkoutHolder(repo, state)
  if (holder === null) return left({ code: exitCodes.usage, refusal: refuseUnserved(repo) })
  const daemon = readListening(state)
  if (daemon !== null) return right(daemonOf(daemonClient(daemon.url, machineToken(state), ended)))
  const refusal = { error: 'CheckoutHeld', detail: describeHeld(repo, state, holder) }
  return left({ code: exitCodes.held, refusal })
}

/** Waits until the next look at a job. */
export const pauseLooks = (): Promise<void> => pause(intervalMs)

/** Starts a watch on stdout, which SIGINT or SIGTERM ends. */
export const startWatch = (): FleetScreen => {
  const end = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => end.abort())
  const { signal } = end
  return {
    isTerminal: process.stdout.isTTY,
    ended: signal,
    pause: () => pause(intervalMs, undefined, { signal }).catch(() => undefined),
  }
}

const queryOf = (dryRun: boolean): string => (dryRun ? '?dryRun=true' : '')

const daemonOf = (ask: AskDaemon): FleetDaemon => ({
  peers: () => askDecoded(ask, FleetPeers, 'GET', '/fleet/peers'),
  takeover: ({ reason, target, force, dryRun }) =>
    askDecoded(ask, TakeoverAccepted, 'POST', `/fleet/takeover${queryOf(dryRun)}`, {
      reason,
      force,
      ...(target === undefined ? {} : { target }),
    }),
  acceptRewrite: dryRun => {
    const { answerWithinMs } = syncRoutes['sync.run']
    const path = `/sync${queryOf(dryRun)}`
    return askDecoded(ask, SyncEnded, 'POST', path, { acceptRewrite: true }, answerWithinMs)
  },
  announce: ({ apex, request, at, dryRun }) =>
    askDecoded(ask, AnnouncementRecorded, 'POST', `/fleet/announce${queryOf(dryRun)}`, {
      event: 'role-flip',
      newPrimary: apex,
      ...(request === undefined ? {} : { mrIid: request }),
      ...(at === undefined ? {} : { epochUtc: at }),
    }),
})

/** Why the daemon of a held checkout cannot be asked, and how it can. */
const describeHeld = (repo: string, state: string, holder: string): string => {
  const area = lastStateArea(repo)
  return area === state
    ? `${repo} is held by ${holder}, which does not say where it listens. Try again when it serves.`
    : `${repo} is held by ${holder}, and was last served with another state area. Give --state ${quoteWord(area)}.`
}

const refuseAbsent = (repo: string): CommandRefusal => ({
  error: 'NoFolder',
  detail: `There is no folder ${repo}. Name the checkout of the host with --repo.`,
})

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const refuseUnserved = (repo: string): CommandRefusal => ({
  error: 'NoDaemon',
  detail:
    `No daemon serves ${repo}. Start one with kronika serve --repo ${quoteWord(repo)} --town TOWN, or name the ` +
    'checkout with --repo.',
})

/** Between two looks of a watch, or at a job. */
const intervalMs = 2_000
