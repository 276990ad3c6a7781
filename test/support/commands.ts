import { isLeft, right } from 'fp-ts/lib/Either.js'
import type { Write } from '#actors/write-gate/messages.js'
import { machine } from '#src/domain/identity/credentials/tokens.js'
import { replyToOf } from '#src/kernel/actor/ref.js'
import { type Admit, Command } from '#src/writing/command.js'

/** A command of the machine, for a row with a plan of the test. */
export const testCommand = (parts: Partial<Command> = {}): Command => ({
  row: 'test.write',
  route: 'POST /test',
  asker: { _tag: 'Host' },
  grade: 'full',
  actor: { name: 'machine', gracz: null, kind: 'machine' },
  path: {},
  query: {},
  body: null,
  prepared: null,
  dryRun: false,
  wants: null,
  ...parts,
})

/** The write of a command, as the gate receives it; `isCallerThere` is the answer to whether the caller waits. */
export const writeOf = (command: Command, isCallerThere?: () => boolean): Write => ({
  _tag: 'Write',
  publishes: false,
  command,
  replyTo: replyToOf('w', () => true, isCallerThere),
})

/** Admits every asker as the machine. */
export const admitMachine: Admit = () => right(machine)

/**
 * The command after a round trip through JSON, as another process would get it. Throws where a part of it is
 * not data.
 */
export const passThroughJson = (command: Command): Command => {
  const decoded = Command.decode(JSON.parse(JSON.stringify(command)))
  if (isLeft(decoded)) throw new Error(`a command of ${command.row} is not all data`)
  return decoded.right
}
