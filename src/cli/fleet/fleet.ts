import { type Either, isLeft, isRight, left } from 'fp-ts/lib/Either.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import type { FleetPeers, LastTakeover } from '#protocol/fleet/peers.js'
import type { AnnouncementRecorded, TakeoverAccepted } from '#protocol/fleet/takeover.js'
import type { SyncEnded } from '#protocol/host/sync.js'
import { escapeControls, escapeControlsByLine, printedJson } from '../escape-controls.js'
import type { Output } from '../output.js'
import { type CommandRefusal, printAnswer, printRefusal } from '../print-answer.js'
import { describeAccepted, describeFleet, describeRewrite, nameForceOption } from './describe-fleet.js'
import type {
  AcceptRewriteOptions,
  FleetAnnounceOptions,
  FleetOptions,
  FleetStatusOptions,
  FleetTakeoverOptions,
} from './options.js'

export interface FleetCommands {
  readonly status: (options: FleetStatusOptions) => Promise<ExitCode>
  readonly takeover: (options: FleetTakeoverOptions) => Promise<ExitCode>
  readonly announce: (options: FleetAnnounceOptions) => Promise<ExitCode>
  readonly acceptRewrite: (options: AcceptRewriteOptions) => Promise<ExitCode>
}

/** Asks the daemon of a checkout. */
export interface FleetDaemon {
  readonly peers: () => Promise<Either<CommandRefusal, FleetPeers>>
  readonly takeover: (options: FleetTakeoverOptions) => Promise<Either<CommandRefusal, TakeoverAccepted>>
  readonly announce: (options: FleetAnnounceOptions) => Promise<Either<CommandRefusal, AnnouncementRecorded>>
  readonly acceptRewrite: (dryRun: boolean) => Promise<Either<CommandRefusal, SyncEnded>>
}

/**
 * Finds the daemon that serves the checkout now. Left: the exit code, and why there is none. `ended` ends the calls of
 * the daemon.
 */
export type FindFleetDaemon = (
  options: FleetOptions,
  ended?: AbortSignal,
) => Either<{ readonly code: ExitCode; readonly refusal: CommandRefusal }, FleetDaemon>

/** Where a watch paints, and how it waits. */
export interface FleetScreen {
  /** Whether stdout is a terminal, which is repainted. */
  readonly isTerminal: boolean
  /** Aborted when the person ends the watch. */
  readonly ended: AbortSignal
  /** Waits until the next look, or until the person ends the watch. */
  readonly pause: () => Promise<void>
}

/**
 * `kronika fleet status|takeover|announce` and `kronika accept-rewrite`, over the routes of the running daemon. A
 * refusal exits with 65. `pause` waits between two looks at a job.
 */
export const fleetCommands = (
  open: FindFleetDaemon,
  output: Output,
  startWatch: () => FleetScreen,
  pause: () => Promise<void>,
): FleetCommands => {
  const withDaemon = async (
    options: FleetOptions,
    work: (daemon: FleetDaemon) => Promise<ExitCode>,
  ): Promise<ExitCode> => {
    const daemon = open(options)
    if (!isLeft(daemon)) return work(daemon.right)
    printRefusal(daemon.left.refusal, options.json, output)
    return daemon.left.code
  }
  return {
    status: (options: FleetStatusOptions) =>
      options.watch
        ? watchFleet(open, options, output, startWatch())
        : withDaemon(options, async daemon =>
            printAnswer(await daemon.peers(), options, output, peers => output.out(describeFleet(peers))),
          ),
    takeover: options =>
      withDaemon(options, async daemon => {
        const answer = await daemon.takeover(options)
        const told = isLeft(answer) && !options.json ? left(nameOption(answer.left)) : answer
        const follows = options.wait && !options.dryRun
        if (follows && options.json && isRight(told)) output.out(printedJson(told.right, 0))
        else
          printAnswer(told, options, output, accepted =>
            output.out(escapeControls(describeAccepted(accepted, options))),
          )
        if (isLeft(told)) return exitCodes.findings
        if (!follows) return exitCodes.ok
        return waitForTakeover(told.right, () => look(open, options), pause, options, output)
      }),
    announce: options =>
      withDaemon(options, async daemon =>
        printAnswer(await daemon.announce(options), options, output, answer =>
          output.out(describeAnnounced(answer)),
        ),
      ),
    acceptRewrite: options =>
      withDaemon(options, async daemon => {
        const plan = await daemon.acceptRewrite(true)
        const accepts = options.yes && isRight(plan) && (plan.right.rewrite?.tip ?? null) !== null
        const answer = accepts ? await daemon.acceptRewrite(false) : plan
        const code = printAnswer(answer, options, output, ended =>
          output.out(escapeControlsByLine(describeRewrite(ended))),
        )
        const isLost = isRight(plan) && plan.right.rewrite?.tip === null
        return options.yes && isLost ? exitCodes.findings : code
      }),
  }
}

/** A look at the fleet. Left: the exit code, and why there is no answer. */
export type FleetLook = Either<{ readonly code: ExitCode; readonly refusal: CommandRefusal }, FleetPeers>

/**
 * Follows the job of an accepted takeover to its end, over the starts of the host, and prints each change of it: as
 * text, or as a line of JSON. Returns 0 for a job that is done, 65 for one that failed or is not the last of the
 * host any more, and the code of the look where the host does not answer for `missedLooksMax` looks.
 */
export const waitForTakeover = async (
  { target, requestedUtc }: TakeoverAccepted,
  look: () => Promise<FleetLook>,
  pause: () => Promise<void>,
  { json }: { readonly json: boolean },
  output: Output,
): Promise<ExitCode> => {
  let [known, shown, missed] = [requestedUtc, '', 0]
  for (;;) {
    const seen = await look()
    missed = isLeft(seen) ? missed + 1 : 0
    if (isLeft(seen)) {
      if (missed === 1) printRefusal(seen.left.refusal, json, output)
      if (missed === missedLooksMax) return seen.left.code
    } else {
      const { job } = seen.right.takeover
      if (job === null || job.target !== target || (known !== undefined && job.requestedUtc !== known)) {
        printRefusal(otherJob, json, output)
        return exitCodes.findings
      }
      known = job.requestedUtc
      const text = describeProgress(job)
      if (text !== shown) output.out(json ? printedJson(job, 0) : escapeControls(text))
      shown = text
      const code = codeOf(job)
      if (code !== null) return code
    }
    await pause()
  }
}

/** Prints a text on the whole terminal: from its first line, each line and the rest erased. */
const repaint = (text: string): string => `\u001b[H${text.replaceAll('\n', '\u001b[K\n')}\u001b[K\u001b[J`

const clear = '\u001b[2J'

const showPeers = (
  peers: FleetPeers,
  json: boolean,
  { isTerminal }: FleetScreen,
  isFirst: boolean,
): string => {
  if (json) return printedJson(peers, 0)
  const text = describeFleet(peers)
  if (!isTerminal) return `${text}\n`
  return `${isFirst ? clear : ''}${repaint(text)}`
}

const look = async (
  open: FindFleetDaemon,
  options: FleetOptions,
  ended?: AbortSignal,
): Promise<FleetLook> => {
  const daemon = open(options, ended)
  if (isLeft(daemon)) return daemon
  const peers = await daemon.right.peers()
  return isLeft(peers) ? left({ code: exitCodes.findings, refusal: peers.left }) : peers
}

/**
 * Prints the fleet until the person ends the watch. Finds the daemon again for each look, because it may have started
 * again at another port. A first look without an answer ends the watch, a later one is reported on stderr.
 */
const watchFleet = async (
  open: FindFleetDaemon,
  options: FleetOptions,
  output: Output,
  screen: FleetScreen,
): Promise<ExitCode> => {
  const { ended } = screen
  const hasEnded = (): boolean => ended.aborted
  for (let looks = 0; !hasEnded(); looks += 1) {
    const seen = await look(open, options, ended)
    if (hasEnded()) break
    if (isLeft(seen)) {
      printRefusal(seen.left.refusal, options.json, output)
      if (looks === 0) return seen.left.code
    } else output.out(showPeers(seen.right, options.json, screen, looks === 0))
    await screen.pause()
  }
  return exitCodes.ok
}

const describeAnnounced = ({ recorded, syncScheduled }: AnnouncementRecorded): string => {
  const converge = syncScheduled ? 'A converge begins soon.' : 'Sync is disabled, so no converge follows.'
  return recorded ? `Recorded. ${converge}` : 'Nothing was recorded.'
}

const nameOption = (refusal: CommandRefusal): CommandRefusal => ({
  ...refusal,
  detail: nameForceOption(refusal.detail),
})

/** Looks without an answer in a row after which the wait ends: the host starts again in less than a minute. */
const missedLooksMax = 30

const describeProgress = ({ target, status, failure, detail, mrUrl, lastError }: LastTakeover): string => {
  const why = failure === null ? '' : `, ${failure}: ${detail ?? ''}`
  const error = lastError === null ? '' : `, last error: ${lastError.detail}`
  const where = mrUrl === null ? '' : ` (${mrUrl})`
  return `${target}: ${status}${why}${error}${where}`
}

const otherJob: CommandRefusal = {
  error: 'NotLast',
  detail:
    'Another takeover was asked for on this host meanwhile, so this one cannot be followed. ' +
    'kronika fleet status shows the last one, and the log of the host how this one ends.',
}

const codeOf = ({ status }: LastTakeover): ExitCode | null => {
  if (status === 'done') return exitCodes.ok
  return status === 'failed' ? exitCodes.findings : null
}
