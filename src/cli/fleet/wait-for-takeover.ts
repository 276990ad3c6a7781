import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import type { FleetPeers, LastTakeover } from '#protocol/fleet/peers.js'
import type { TakeoverAccepted } from '#protocol/fleet/takeover.js'
import { escapeControls } from '../escape-controls.js'
import type { Output } from '../output.js'
import { type DeskRefusal, printRefusal } from '../print-answer.js'

/** A look at the fleet. Left: the exit code, and why there is no answer. */
export type FleetLook = Either<{ readonly code: ExitCode; readonly refusal: DeskRefusal }, FleetPeers>

/** Looks without an answer in a row after which the wait ends: the host starts again in less than a minute. */
const missedLooksMax = 30

const describeProgress = ({ target, status, failure, detail, mrUrl, lastError }: LastTakeover): string => {
  const why = failure === null ? '' : `, ${failure}: ${detail ?? ''}`
  const error = lastError === null ? '' : `, last error: ${lastError.detail}`
  const where = mrUrl === null ? '' : ` (${mrUrl})`
  return `${target}: ${status}${why}${error}${where}`
}

const otherJob: DeskRefusal = {
  error: 'NotLast',
  detail:
    'Another takeover was asked for on this host meanwhile, so this one cannot be followed. ' +
    'kronika fleet status shows the last one, and the log of the host how this one ends.',
}

const codeOf = ({ status }: LastTakeover): ExitCode | null => {
  if (status === 'done') return exitCodes.ok
  return status === 'failed' ? exitCodes.findings : null
}

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
      if (text !== shown) output.out(json ? JSON.stringify(job) : escapeControls(text))
      shown = text
      const code = codeOf(job)
      if (code !== null) return code
    }
    await pause()
  }
}
