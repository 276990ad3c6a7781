import { left } from 'fp-ts/lib/Either.js'
import { refuse } from '#protocol/refusal.js'
import type { Command, WritePort } from '#src/writing/command.js'

/**
 * The most writes of one caller that wait for their answers: a quarter of the queue of the gate, and as many
 * as one batch holds.
 */
export const callerWritesMax = 64

const tooMany =
  `${callerWritesMax} writes of this caller are waiting for the write gate, the most that it takes from one caller, ` +
  'so nothing was written. Send it again after the seconds of Retry-After.'

/** The key by which writes are limited: the person, whatever their token, otherwise the token. */
const callerKeyOf = ({ actor, asker }: Command): string => {
  if (actor.gracz !== null) return `gracz ${actor.gracz}`
  return asker._tag === 'Bearer' ? `token ${asker.token}` : asker._tag
}

/**
 * Refuses a write while `callerWritesMax` writes of its caller wait, so that one caller cannot fill the queue of
 * the gate, nor its mailbox. A write counts until the gate is done with it, even if its caller has left: a caller
 * gains nothing by closing connections. A dry run takes no place.
 */
export const limitWrites = (write: WritePort): WritePort => {
  const waiting = new Map<string, number>()
  const add = (caller: string, count: number): void => {
    const next = (waiting.get(caller) ?? 0) + count
    if (next === 0) waiting.delete(caller)
    else waiting.set(caller, next)
  }
  return async (command, isCallerThere) => {
    if (command.dryRun) return write(command, isCallerThere)
    const caller = callerKeyOf(command)
    if ((waiting.get(caller) ?? 0) >= callerWritesMax) return left(refuse('Overloaded', tooMany))
    add(caller, 1)
    try {
      return await write(command, isCallerThere)
    } finally {
      add(caller, -1)
    }
  }
}
