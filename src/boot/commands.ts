import { randomUUID } from 'node:crypto'
import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import { adopt as adoptThrough, atTheHost } from '#actors/write-gate/adopt.js'
import { type ExitCode, exitCodes } from '#protocol/exit-code.js'
import type { IntegrityFinding } from '#protocol/finding.js'
import { routes } from '#protocol/routes.js'
import { checkoutState } from '#src/adapters/checkout-state.js'
import { adopt } from '#src/cli/adopt.js'
import { checkoutNotes, plainDirectory } from '#src/cli/checkout-notes.js'
import { doctor } from '#src/cli/doctor.js'
import { keysCommands } from '#src/cli/keys.js'
import type { AdoptOptions, DoctorOptions } from '#src/cli/options.js'
import type { Output } from '#src/cli/output.js'
import type { Commands } from '#src/cli/program.js'
import { routesCommand } from '#src/cli/routes.js'
import { tokenCommands } from '#src/cli/token.js'
import { allFindings } from '#src/corpus/all-findings.js'
import { routeTable } from '#src/discovery/route-table.js'
import { realClock } from '#src/kernel/clock.js'
import { openapi } from '#src/reference/openapi.js'
import { adoptionPlan } from './adoption-plan.js'
import { type Checkout, holdCheckout, openSource, type Stop } from './checkout.js'
import { demo } from './demo.js'
import { committedConfig, oneSnapshot } from './open-corpus.js'
import { revokeKeys } from './revoke-keys.js'
import { rotateKeys } from './rotate-keys.js'
import { serve } from './serve.js'
import { tokenDesk } from './token-desk.js'
import { packageVersion } from './version.js'

/** The checkout for an adoption. A dry run reads commits alone: it holds nothing and so leaves no trace. */
const openedFor = async (
  directory: string,
  dryRun: boolean,
): Promise<Either<Stop, Pick<Checkout, 'source' | 'landing' | 'release'>>> => {
  if (!dryRun) return holdCheckout(directory, undefined, 'adopt')
  const opened = await openSource(directory)
  if (isLeft(opened)) return opened
  const source = opened.right
  return right({ source, landing: null, release: () => source.close() })
}

const adoptCommand = (output: Output) => {
  const run = async (directory: string, dryRun: boolean) => {
    const checkout = await openedFor(directory, dryRun)
    if (isLeft(checkout)) {
      output.err(`kronika adopt: ${checkout.left.reason}`)
      return checkout.left.code
    }
    const { source, landing, release } = checkout.right
    try {
      const { config } = await committedConfig(source)
      return await adoptThrough(
        {
          source,
          landing,
          newIntent: randomUUID,
          done: () => undefined,
          diskRefused: () => undefined,
          nowMs: realClock.nowMs,
          plan: adoptionPlan(config),
          published: () => Promise.resolve(true),
        },
        { dryRun, origin: atTheHost },
      )
    } finally {
      await release()
    }
  }
  return (options: AdoptOptions): Promise<ExitCode> => adopt(run, output)(options)
}

const notesOnCheckout = async (repo: string): Promise<ReadonlyArray<IntegrityFinding>> => {
  const opened = await openSource(repo)
  if (isLeft(opened)) return []
  const source = opened.right
  try {
    if (source.kind !== 'git') return [plainDirectory(source.path)]
    const { config } = await committedConfig(source)
    const remote = config['server.sync_remote']
    return checkoutNotes(await checkoutState(source.path, remote), remote)
  } finally {
    await source.close()
  }
}

const doctorCommand =
  (output: Output) =>
  async (options: DoctorOptions): Promise<ExitCode> => {
    const snapshot = await oneSnapshot(options.repo)
    if (isLeft(snapshot)) {
      output.err(`kronika doctor: ${snapshot.left.reason}`)
      return snapshot.left.code
    }
    const findings = () => Promise.resolve(allFindings(snapshot.right))
    return doctor(findings, notesOnCheckout, output)(options)
  }

/** The commands of `kronika`, wired to the real world. */
export const commands = (output: Output): Commands => ({
  serve: serve(output),
  demo: demo(output),
  adopt: adoptCommand(output),
  doctor: doctorCommand(output),
  token: tokenCommands(tokenDesk(output), output),
  keys: keysCommands({ rotate: rotateKeys(process.env), revoke: revokeKeys }, output),
  routes: routesCommand(routes, routeTable(routes), output),
  openapi: () => {
    output.out(JSON.stringify(openapi(routes, packageVersion()), null, 2))
    return Promise.resolve(exitCodes.ok)
  },
})
