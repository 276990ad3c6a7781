import { type Either, left, right } from 'fp-ts/lib/Either.js'
import { instantOf, requirePath } from '#protocol/atoms.js'
import type { RefusalOf } from '#protocol/refusal.js'
import {
  type AccountBinding,
  bindAccount,
  bindingsPath,
  bindingsText,
} from '#src/domain/identity/bindings.js'
import { fitsCommitted } from '#src/domain/identity/committed-json.js'
import { grantsPath } from '#src/domain/identity/grants.js'
import { storeFull, storeUnreadable } from '#src/domain/identity/player-refusals.js'
import { unknownWorth } from '#src/domain/identity/roles.js'
import type { ChangeSet } from '#src/domain/lore/changes.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'

/** A requested binding, and the person or account that requests it. */
export interface Wish {
  readonly chatId: string
  readonly gameId: string
  readonly by: string
}

/** A planned binding, with the parts of the change set that do not depend on the workflow. */
export interface BindingWrite {
  readonly bound: AccountBinding
  readonly change: Pick<ChangeSet<never>, 'edits' | 'claims' | 'touches' | 'subject'>
}

/** The name in files and records of a person who is known by a chat account only. */
export const accountName = (chatId: string): string => `chat:${chatId}`

const path = requirePath(bindingsPath)

/** Claims both files: a grant in the same batch could change what the id may do. */
const claims = [`slot:${bindingsPath}`, `slot:${grantsPath}`]

/**
 * Plans a binding on the snapshot. Refuses while a file that it depends on cannot be read, because that file
 * must not be replaced and the rights of the id are unknown (ADR 1018), and when the list would become too
 * long to be read again.
 */
export const bindingWrite = (
  snapshot: Snapshot,
  { chatId, gameId, by }: Wish,
  nowMs: number,
): Either<RefusalOf<'StoreUnreadable'>, BindingWrite> => {
  const { bindings, files } = snapshot
  if (bindings.stored === null) return left(storeUnreadable(bindingsPath))
  const unknown = unknownWorth(snapshot)
  if (unknown !== null) return left(storeUnreadable(unknown))
  const made = bindAccount(bindings, bindings.stored, { chatId, gameId, since: instantOf(nowMs), by })
  const before = files.get(bindingsPath)?.blob ?? null
  const after = bindingsText(bindings.head, made.after)
  if (!made.alreadyLinked && !fitsCommitted(after)) return left(storeFull(bindingsPath))
  return right({
    bound: made,
    change: {
      edits: made.alreadyLinked ? [] : [{ _tag: 'Whole', path, before, after }],
      claims,
      touches: [{ kind: 'identity', name: gameId }],
      subject: `identity: chat account ${chatId} speaks for game id ${gameId}`,
    },
  })
}

/** The part of an answer that describes a binding. */
export const bindingAnswerOf = ({ binding, displaces, replaces }: AccountBinding, gracz: string) => ({
  chatId: binding.chatId,
  gameId: binding.gameId,
  gracz,
  displaces,
  replaces,
})
