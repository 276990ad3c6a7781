import type { CommitId } from '#protocol/atoms.js'
import { awardChecks, awardRow } from './awards.js'
import { closeChecks } from './closes.js'
import type { Objects, SimCommit } from './objects.js'
import type { Trace } from './trace.js'

/** How an enactment ended, as its asker was told. `Applied` names its commit. */
export type EnactmentEnd =
  | { readonly _tag: 'Applied'; readonly commit: CommitId }
  | { readonly _tag: 'Nothing' }
  | { readonly _tag: 'Blocked' }
  | { readonly _tag: 'Closed'; readonly by: string | null }
  /** `isSure`: nothing of it was published, or will be. */
  | { readonly _tag: 'NotPublished'; readonly isSure: boolean }
  | { readonly _tag: 'Refused' }

/** An enactment that somebody asked a host for. `what` is a month, or the header of a session. */
export interface AskedEnactment {
  readonly asker: string
  readonly row: string
  readonly what: string
  /** Whether the host publishes before it answers. */
  readonly publishes: boolean
}

export interface EnactmentChecks {
  readonly ask: (asked: Omit<AskedEnactment, 'asker'>) => AskedEnactment
  /** `isThere`: whether origin has a commit. */
  readonly answered: (
    asked: AskedEnactment,
    end: EnactmentEnd,
    isThere: (commit: CommitId) => boolean,
  ) => void
  /** A branch has new commits; `who` is a host or `origin`. */
  readonly moved: (who: string, commits: ReadonlyArray<SimCommit>) => void
  /** A host that publishes lets notices go; `isThere`: whether origin has their commit. */
  readonly released: (who: string, keys: ReadonlyArray<string>, isThere: boolean) => void
  /** All is at rest: `isSettled` where everything was asked for since. */
  readonly atRest: (who: string, head: CommitId, isSettled: boolean) => void
}

/** Every enactment, held against S13, S16 and D51: no answer and no notice before the push, and none twice. */
export const enactmentChecks = (objects: Objects, trace: Trace): EnactmentChecks => {
  const { say, mark, violation } = trace
  const awards = awardChecks(trace)
  const closes = closeChecks(trace)
  let asked = 0
  /** Askers who were told that nothing was written, and those whose commit reached origin. */
  const surelyNothing = new Set<string>()
  const published = new Set<string>()
  const released = new Set<string>()

  const checkNothing = ({ asker }: AskedEnactment): void => {
    if (published.has(asker)) violation(`${asker} was told that nothing was written, and origin has it (S16)`)
    surelyNothing.add(asker)
  }
  const checkApplied = ({ asker, row, what, publishes }: AskedEnactment, isThere: boolean): void => {
    if (publishes && !isThere)
      violation(`${asker} was told that ${what} is done, and origin does not have it (D51)`)
    if (row === awardRow) awards.applied(asker, what)
  }

  return {
    ask: one => {
      asked += 1
      return { ...one, asker: `${one.row === awardRow ? 'award' : 'close'}-${asked}` }
    },
    answered: (one, end, isThere) => {
      say(`${one.asker} ${one.what} ${end._tag}`)
      if (end._tag === 'Applied') checkApplied(one, isThere(end.commit))
      if (end._tag === 'NotPublished') mark('an enactment was not published')
      if (end._tag === 'NotPublished' && end.isSure) checkNothing(one)
      if (end._tag !== 'Closed') return
      mark('a session was closed by another')
      if (end.by === one.asker) violation(`${one.asker} closed ${one.what}, and was refused for it (D51)`)
    },
    moved: (who, commits) => {
      for (const { message, files } of commits) {
        const asker = /^Svc-Actor: ((?:award|close)-\d+)$/mu.exec(message)?.[1]
        closes.checkFiles(who, files)
        if (asker === undefined) continue
        if (who === 'origin') published.add(asker)
        if (surelyNothing.has(asker))
          violation(`${who}: ${asker} was told that nothing was written, and it is here (S16)`)
        awards.checkFiles(who, files)
      }
    },
    released: (who, keys, isThere) => {
      say(`${who} sends ${keys.length} notices`)
      for (const key of keys) {
        if (!isThere) violation(`${who} sends ${key}, and origin does not have its commit (D51)`)
        if (released.has(key)) violation(`${who} sends ${key} again (S13)`)
        released.add(key)
      }
    },
    atRest: (who, head, isSettled) => {
      const { files } = objects.get(head)
      awards.atRest(who, files, isSettled)
      closes.atRest(who, files, isSettled)
    },
  }
}
