import { randomUUID } from 'node:crypto'
import { type Either, isLeft, map, right } from 'fp-ts/lib/Either.js'
import { adopt as adoptThrough, atTheHost, claimedAtTheHost } from '#actors/write-gate/adopt.js'
import type { ExitCode } from '#protocol/exit-code.js'
import type { Adoption } from '#protocol/host/admin.js'
import { gitText } from '#src/adapters/git/git-command.js'
import { lineOrigins } from '#src/adapters/history/git-history.js'
import type { TextChange } from '#src/adapters/history/unified-diff.js'
import { dirtyNow } from '#src/adapters/landing/checkout/dirty.js'
import { placeFolder } from '#src/adapters/place-folder.js'
import { type Adopted, runAdopt } from '#src/cli/checkout/adopt.js'
import { type InitRefusal, init, type MadeRepository } from '#src/cli/checkout/init.js'
import type { AdoptOptions, InitOptions } from '#src/cli/options.js'
import { type Output, quoteWord } from '#src/cli/output.js'
import { writeRepository } from '#src/demo/writer/fast-import.js'
import { newRepository } from '#src/domain/admin/gate-arms.js'
import { redactWebhooks } from '#src/domain/adoption/legacy/outline.js'
import { machine } from '#src/domain/identity/credentials/tokens.js'
import { realClock } from '#src/kernel/time/clock.js'
import { adoptionPlan, publicDiff } from '../gate/preview.js'
import { type Checkout, holdCheckout, openSource, type Stop, tellLost } from '../start/checkout.js'
import { readCommittedConfig } from '../tree/corpus.js'
import { currentCommandPrefix } from './ask-decoded.js'

/** `kronika adopt`: runs the adoption of the write gate. */
export const adoptCommand = (output: Output) => {
  const run = async (directory: string, dryRun: boolean) => {
    const checkout = await openCheckoutFor(directory, dryRun, output)
    if (isLeft(checkout)) {
      output.err(`kronika adopt: ${checkout.left.reason}`)
      return checkout.left.code
    }
    const { source, landing, release } = checkout.right
    try {
      const { config } = await readCommittedConfig(source)
      const plan = adoptionPlan(config)
      let planned: ReadonlyArray<TextChange> = []
      const outcome = await adoptThrough(
        {
          source,
          landing,
          newIntent: randomUUID,
          done: () => undefined,
          diskRefused: () => undefined,
          nowMs: realClock.nowMs,
          fresh: () => Promise.resolve(null),
          admit: () => right(machine),
          plan: async (files, ...rest) => {
            const made = await plan(files, ...rest)
            planned = made.changes.map(({ path, after }) => ({
              path,
              before: files.get(path)?.text ?? null,
              after,
              splices: null,
            }))
            return made
          },
          lineOrigins: lineOrigins(directory),
          dirtyNow: (_base, files) => dirtyNow(source.path)(files),
          published: () => Promise.resolve(true),
        },
        { dryRun, origin: atTheHost, claimed: claimedAtTheHost },
      )
      return map(
        (adoption: Adoption): Adopted => ({ adoption, diff: () => redactWebhooks(publicDiff(planned)) }),
      )(outcome)
    } finally {
      await release()
    }
  }
  return (options: AdoptOptions): Promise<ExitCode> => runAdopt(run, output)(options)
}

/** `kronika init`: creates the repository of a new community. */
export const initCommand = (output: Output): ((options: InitOptions) => Promise<ExitCode>) =>
  init(makeRepository, output)

/**
 * Opens the checkout for an adoption. A dry run only reads commits: it takes no fence and leaves no trace.
 */
const openCheckoutFor = async (
  directory: string,
  dryRun: boolean,
  output: Output,
): Promise<Either<Stop, Pick<Checkout, 'source' | 'landing' | 'release'>>> => {
  if (!dryRun) {
    const held = await holdCheckout(directory, undefined, 'adopt')
    if (!isLeft(held)) tellLost('kronika adopt', output, held.right)
    return held
  }
  const opened = await openSource(directory)
  if (isLeft(opened)) return opened
  const source = opened.right
  return right({ source, landing: null, release: () => source.close() })
}

const author = { name: 'Kronika', email: 'kronika@kronika.invalid' }

const nextSteps = (directory: string): MadeRepository['next'] => {
  const [called, folder] = [currentCommandPrefix(), quoteWord(directory)]
  return [
    {
      what: 'Add yourself to kontrybutorzy.md, as its example shows, and commit it.',
      command: `git -C ${folder} commit -am 'kontrybutorzy: first people'`,
    },
    {
      what: 'Serve it; the ready line on stdout says where.',
      command: `${called} serve --repo ${folder}`,
    },
    { what: 'Check it, now and after each edit by hand.', command: `${called} doctor --repo ${folder}` },
    {
      what: 'Make an empty repository to publish to, on a machine that every host reaches.',
      command: 'git init --bare -b main FOLDER',
    },
    {
      what: 'Make it the remote here, and commit server.publish_mode "push" in .svc/config.json to publish commits.',
      command: `git -C ${folder} remote add origin URL`,
    },
  ]
}

const makeRepository = async (directory: string): Promise<Either<InitRefusal, MadeRepository>> => {
  const placed = await placeFolder(directory, unfinished =>
    writeRepository(
      unfinished,
      [
        {
          author,
          at: new Date(realClock.nowMs()).toISOString(),
          message: 'A new lore repository\n',
          changes: newRepository,
        },
      ],
      () => undefined,
    ),
  )
  if (isLeft(placed)) return placed
  return right({
    directory: placed.right,
    commit: await gitText(['rev-parse', 'HEAD'], { cwd: placed.right }),
    files: newRepository.map(({ path }) => path),
    next: nextSteps(placed.right),
  })
}
