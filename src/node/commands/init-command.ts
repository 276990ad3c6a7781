import { type Either, isLeft, right } from 'fp-ts/lib/Either.js'
import type { ExitCode } from '#protocol/exit-code.js'
import { gitText } from '#src/adapters/git/git-command.js'
import { placeFolder } from '#src/adapters/place-folder.js'
import { type InitRefusal, init, type MadeRepository } from '#src/cli/init.js'
import type { InitOptions } from '#src/cli/options.js'
import type { Output } from '#src/cli/output.js'
import { writeRepository } from '#src/demo/writer/fast-import.js'
import { newRepository } from '#src/domain/admin/gate-arms.js'
import { realClock } from '#src/kernel/time/clock.js'
import { currentCommandPrefix } from './command-prefix.js'
import { quoteWord } from './quote-word.js'

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

/** `kronika init`: creates the repository of a new community. */
export const initCommand = (output: Output): ((options: InitOptions) => Promise<ExitCode>) =>
  init(makeRepository, output)
